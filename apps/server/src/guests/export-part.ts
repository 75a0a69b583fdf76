import { guestUrlProblem } from '@pulse/domain'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { Database } from '../db/database.ts'
import { wholeTable } from '../db/pages.ts'
import { at, count, invalidFile, nothing, part } from '../export-part.ts'
import { legacyLinks } from './legacy.ts'

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
