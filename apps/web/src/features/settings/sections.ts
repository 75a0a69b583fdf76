import type { Section } from './section.ts'
// registry: imports
import { diagnostics } from './diagnostics/entry.ts'
import { docker } from './docker/entry.ts'
import { urls } from './guest-urls/entry.ts'
import { pve, pbs, pmg } from './nodes/entry.ts'
import { security } from './security/entry.ts'
import { system } from './system/entry.ts'
import { updates } from './updates/entry.ts'

/** In navigation order. A new section is a folder with an `entry.tsx`; `npm run format` lists it here. */
export const sections: readonly Section[] = [
  // registry: entries
  pve,
  pbs,
  pmg,
  urls,
  docker,
  system,
  security,
  diagnostics,
  updates,
]

/** By path, else by `?tab=`. Unknown values lead to the first section. */
export function sectionAt(path: string, tab: unknown, table: readonly Section[] = sections): Section {
  const id = path.split('/')[2]
  return (
    table.find((section) => section.id === id) ??
    table.find((section) => !id && section.id === tab) ??
    table[0]!
  )
}
