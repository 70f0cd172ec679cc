/** An extension of pi that writes the names of all tools that pi has into the file that VAR_TOOL_NAMES names. */
import { writeFileSync } from 'node:fs'

interface Pi {
  on(event: 'session_start', handler: () => void): void
  getAllTools(): { name: string }[]
}

export default function telling(pi: Pi): void {
  pi.on('session_start', () => {
    const names = pi.getAllTools().map(({ name }) => name)
    writeFileSync(process.env.VAR_TOOL_NAMES ?? '', JSON.stringify(names))
  })
}
