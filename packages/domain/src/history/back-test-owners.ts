import { type AlertConfig, overrideKey } from '@pulse/contract'
import type { PlayedThing } from './played-thing.ts'

/** The configuration, with the overrides of guests for their file systems, which the play judges as guests. */
export function withOwners(config: AlertConfig, things: readonly PlayedThing[]): AlertConfig {
  const own = things.flatMap(({ key, owner }) => {
    const override = owner === undefined ? undefined : config.overrides[overrideKey('guests', owner)]
    return override ? [[overrideKey('guests', key), override] as const] : []
  })
  return own.length === 0
    ? config
    : { ...config, overrides: { ...config.overrides, ...Object.fromEntries(own) } }
}
