import { asObject, asString } from '../../protocol/narrow.ts'

export interface PiModel {
  provider: string
  id: string
}

export function modelOf(value: unknown): PiModel | undefined {
  const model = asObject(value)
  const provider = asString(model?.provider)
  const id = asString(model?.id)
  return provider !== undefined && id !== undefined ? { provider, id } : undefined
}

/** The model that a name stands for: `provider/id`, or an id, of the present provider if it has it. */
export function findModel(
  name: string,
  available: readonly unknown[],
  provider: string | undefined,
): PiModel | undefined {
  const models = available.flatMap((value) => modelOf(value) ?? [])
  return (
    models.find((model) => model.id === name && model.provider === provider) ??
    models.find((model) => `${model.provider}/${model.id}` === name) ??
    models.find((model) => model.id === name)
  )
}
