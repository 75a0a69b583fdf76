import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { AgentKind, HostFacts } from '../agent-kind.ts'
import type { Database } from '../db/database.ts'
import { wholeTable } from '../db/pages.ts'
import type { AgentHostRow } from '../db/schema.ts'
import { count, invalidFile, nothing, part } from '../export-part.ts'
import { identityOf } from '../report-fields.ts'

const HiddenHost = z.strictObject({
  hostId: z.string().check(
    z.minLength(1),
    z.maxLength(128),
    z.refine((id) => identityOf([id]) === id, 'is not a valid host identity'),
  ),
  name: z.string().check(z.minLength(1), z.maxLength(253)),
})

/** The file does not name the kind of a host. */
type NewHostKind = Pick<AgentKind, 'name' | 'nothingKnown'>

/**
 * The hidden hosts. A host's next report brings everything else, and its token is exported with the tokens. An import does not
 * change hosts that were not hidden in the exporting installation.
 */
export const hiddenHostsPart = (db: Database, now: () => number, kind: NewHostKind) =>
  part({
    key: 'hiddenDockerHosts',
    schema: z.array(HiddenHost).check(z.maxLength(1_000)),
    async read() {
      const rows = (await all(db)).filter(({ hidden }) => hidden === 1)
      if (rows.length === 0) return undefined
      return rows.map(({ host_id, facts }) => ({
        hostId: host_id,
        name: (JSON.parse(facts) as HostFacts).displayName,
      }))
    },
    async plan(hosts) {
      if (hosts.length === 0) return nothing
      const seen = new Set<string>()
      for (const [n, { hostId }] of hosts.entries()) {
        if (seen.has(hostId)) throw invalidFile(`hiddenDockerHosts[${n}]`, 'the host appears twice')
        seen.add(hostId)
      }
      const here = await all(db)
      const known = here.filter(({ host_id }) => seen.has(host_id))
      const fresh = hosts.filter(({ hostId }) => !known.some(({ host_id }) => host_id === hostId))
      return {
        summary: count(hosts.length, 'hidden Docker host'),
        notes: [],
        queries: [
          ...known.map(({ id }) =>
            db.query.updateTable('docker_hosts').set({ hidden: 1 }).where('id', '=', id).compile(),
          ),
          ...fresh.map((host) =>
            db.query
              .insertInto('docker_hosts')
              .values(toRow(host, kind, now()))
              .compile(),
          ),
        ],
      }
    },
  })

const all = async (db: Database) =>
  (await wholeTable(db, 'docker_hosts', ['id'])).toSorted((a, b) => (a.host_id < b.host_id ? -1 : 1))

/** Before its first report, the server knows only the name. */
function toRow({ hostId, name }: z.infer<typeof HiddenHost>, kind: NewHostKind, nowMs: number): AgentHostRow {
  const facts: HostFacts = { hostname: name, displayName: name, ...kind.nothingKnown }
  return {
    id: `${kind.name}-${randomBytes(8).toString('hex')}`,
    host_id: hostId,
    facts: JSON.stringify(facts),
    token_id: null,
    token_name: null,
    token_hint: null,
    hidden: 1,
    pending_uninstall: 0,
    command: null,
    enrolled_at: nowMs,
    last_seen_at: null,
    online: 0,
  }
}
