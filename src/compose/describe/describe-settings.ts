// What the operator has set, for the settings page.
import type { Config } from '../../config.ts'
import { documentationOf, ENGINE_NAMES } from '../../providers/registry.ts'
import type { EngineSetting, ServiceSettings } from '../../telemetry/service-overview.ts'

/** `asked`: the names of the engines that searches ask. */
export function describeSettings(
  config: Pick<Config, 'set' | 'providers'>,
  asked: readonly string[],
): ServiceSettings {
  const useOf = (name: (typeof ENGINE_NAMES)[number]): EngineSetting['use'] => {
    if (asked.includes(name)) return 'asked'
    return config.providers.settings[name] === undefined ? 'not_set_up' : 'set_up'
  }
  return {
    asked,
    set: config.set,
    engines: ENGINE_NAMES.map((name) => ({
      name,
      setUpWith: documentationOf(name).setUpWith,
      use: useOf(name),
    })),
  }
}
