import type { ImportChanges } from '@pulse/contract'
import type * as z from 'zod/mini'
import { type Fields, fieldsOf, type Importer, listed } from '../../export-part.ts'
import { withPlainHost } from '../../outbound/allowed-hosts.ts'
import type { SettingsExport } from '../../settings-export.ts'
import { maskedUrl } from './masks.ts'

/** A destination in an imported file that this installation does not use yet. */
export type Destination = ImportChanges['destinations'][number]

/** A kind with one channel. The channel does not send to a new destination until an administrator confirms it. */
export const planChannel =
  <T extends { enabled: boolean }>(
    newDestination: (next: T, here: T) => Destination | undefined,
    summaryOf: (next: T) => string,
  ): SettingsExport<T>['plan'] =>
  (next, { value: here }, by) => {
    const found = newDestination(next, here)
    const destinations = found ? [found] : []
    return {
      settings: { ...next, enabled: next.enabled && (!found || by.confirmsDestinations === true) },
      summary: summaryOf(next),
      notes: disabledNotes(destinations, by),
      changes: { destinations },
    }
  }

export function disabledNotes(destinations: readonly Destination[], by: Importer): string[] {
  if (destinations.length === 0 || by.confirmsDestinations) return []
  const names = listed(destinations.map(({ name }) => name))
  return [
    `New destinations were imported disabled: ${names}. Check and enable them under Alerts, Notifications.`,
  ]
}

/** An address for the administrator who confirms it. A host in another script may look like a known one. */
export const shownUrl = (url: string): string => maskedUrl(withPlainHost(url))

/** The valid fields of Pulse 4.x settings; an invalid field does not stop the import. */
export function fitting<S extends z.ZodMiniObject>(schema: S, value: unknown) {
  const taken: Fields = {}
  const left: string[] = []
  for (const [name, entry] of Object.entries(fieldsOf(value))) {
    if (!Object.hasOwn(schema.shape, name) || entry === null) continue
    if (schema.safeParse({ [name]: entry }).success) taken[name] = entry
    else left.push(name)
  }
  return { taken, left }
}
