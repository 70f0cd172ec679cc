/** Whether something happened in time. The timer is gone afterwards. */
export function within(happening: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    const happened = () => {
      clearTimeout(timer)
      resolve(true)
    }
    happening.then(happened, happened)
  })
}
