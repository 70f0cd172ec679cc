import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'

/** A request that changes a setting of the conversation. */
export interface SettingRequest {
  method: string
  params: JsonObject
}

/**
 * Models and modes that the agent offers. Newer agents have them as `configOptions` with a category, older ones as `models` and
 * `modes`; Cursor has all of them.
 */
export class AcpSettings {
  #models: JsonObject | undefined
  #modes: JsonObject | undefined
  #options: JsonObject[] = []

  /** The answer to what opened the conversation, or a `config_option_update`. */
  read(told: JsonObject): void {
    this.#models = asObject(told.models) ?? this.#models
    this.#modes = asObject(told.modes) ?? this.#modes
    if (Array.isArray(told.configOptions)) {
      this.#options = told.configOptions.map(asObject).filter((option) => option !== undefined)
    }
  }

  get model(): string | undefined {
    return asString(this.#models?.currentModelId) ?? asString(this.#option('model')?.currentValue)
  }

  /** undefined: the agent offers no choice of models. */
  setModel(model: string): SettingRequest | undefined {
    if (this.#models) return { method: 'session/set_model', params: { modelId: model } }
    return this.#setOption('model', model)
  }

  /** undefined: the agent has no such mode. */
  setMode(mode: string): SettingRequest | undefined {
    const offered = asArray(this.#modes?.availableModes).map((each) => asObject(each)?.id)
    if (offered.includes(mode)) return { method: 'session/set_mode', params: { modeId: mode } }
    return this.#values('mode').includes(mode) ? this.#setOption('mode', mode) : undefined
  }

  /** After a request of `setModel` went well. */
  changedModel(model: string): void {
    if (this.#models) this.#models.currentModelId = model
    const option = this.#option('model')
    if (option) option.currentValue = model
  }

  #option(category: string): JsonObject | undefined {
    return this.#options.find((option) => option.category === category && option.type === 'select')
  }

  #setOption(category: string, value: string): SettingRequest | undefined {
    const configId = asString(this.#option(category)?.id)
    if (configId === undefined) return undefined
    return { method: 'session/set_config_option', params: { configId, value } }
  }

  /** Choices may stand in groups. */
  #values(category: string): unknown[] {
    return asArray(this.#option(category)?.options).flatMap((choice) => {
      const { value, options } = asObject(choice) ?? {}
      return Array.isArray(options) ? options.map((each) => asObject(each)?.value) : [value]
    })
  }
}
