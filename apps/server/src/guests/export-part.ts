import { guestUrlProblem } from '@pulse/domain'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { Database } from '../db/database.ts'
import { wholeTable } from '../db/pages.ts'
import {
  at,
  count,
  invalidFile,
  type LegacyPart,
  lenient,
  listed,
  nothing,
  part,
  text,
} from '../export-part.ts'

const ExportedLink = z.strictObject({
  /** as stored: connection and vmid, or `id:` and a wire id */
  guestKey: z
    .string()
    .check(z.regex(/^(?:id:[^]+|(?:pve|pbs|pmg)-[0-9a-f]{12}:\d{1,10})$/), z.maxLength(300)),
  wireId: z.string().check(z.minLength(1), z.maxLength(256)),
  customUrl: z.string().check(z.minLength(1), z.maxLength(2048)),
})

/** Exports custom links of guests. An import replaces the existing ones. */
export const guestLinksPart = (db: Database, now: () => number) =>
  part({
    key: 'guestMetadata',
    schema: z.array(ExportedLink).check(z.maxLength(50_000)),
    older: legacyLinks,
    async read() {
      const rows = await wholeTable(db, 'guest_metadata', ['guest_key'])
      return rows.map((row) => ({
        guestKey: row.guest_key,
        wireId: row.wire_id,
        customUrl: row.custom_url,
      }))
    },
    async plan(links) {
      if (links.length === 0) return nothing
      const seen = new Set<string>()
      for (const [n, { guestKey, customUrl }] of links.entries()) {
        const where = `guestMetadata[${n}]`
        if (seen.has(guestKey)) throw invalidFile(where, 'the guest appears twice')
        seen.add(guestKey)
        at(where, () => refuseUrl(customUrl))
      }
      const rows = links.map(({ guestKey, wireId, customUrl }) => ({
        guest_key: guestKey,
        wire_id: wireId,
        custom_url: customUrl.trim(),
        updated_at: now(),
      }))
      return {
        summary: count(links.length, 'guest link'),
        notes: [],
        queries: [
          db.query.deleteFrom('guest_metadata').compile(),
          ...rows.map((row) => db.query.insertInto('guest_metadata').values(row).compile()),
        ],
      }
    },
  })

function refuseUrl(url: string): void {
  const problem = guestUrlProblem(url)
  if (problem) throw new AppError('validation_failed', problem)
}

const LegacyGuest = lenient(z.looseObject({ customUrl: text, description: text }), {
  customUrl: '',
  description: '',
})
const LegacyGuests = lenient(z.record(z.string(), LegacyGuest), {})

/** The links of Pulse 4.x, by the ids of the documented state. */
const legacyLinks = { field: 'guestMetadata', take: toLinks } satisfies LegacyPart

function toLinks(value: unknown) {
  const guests = LegacyGuests.parse(value)
  const withUrl = Object.entries(guests).filter(([, { customUrl }]) => customUrl.trim() !== '')
  const isUsable = ([id, { customUrl }]: (typeof withUrl)[number]) =>
    id !== '' && id.length <= 256 && customUrl.length <= 2048 && guestUrlProblem(customUrl) === undefined
  const usable = withUrl.filter(isUsable)
  const wrong = withUrl.filter((entry) => !isUsable(entry)).map(([id]) => id)
  const described = Object.values(guests).filter(({ description }) => description !== '').length
  const notes: string[] = []
  if (wrong.length > 0) notes.push(`Invalid guest links were left out: ${listed(wrong)}.`)
  if (described > 0) notes.push(`Descriptions of guests were left out: ${described}.`)
  const taken = usable.map(([id, { customUrl }]) => ({
    guestKey: `id:${id}`,
    wireId: id,
    customUrl: customUrl.trim(),
  }))
  return { taken, notes }
}
