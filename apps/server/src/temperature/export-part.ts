import * as z from 'zod/mini'
import type { Database } from '../db/database.ts'
import { wholeTable } from '../db/pages.ts'
import type { TemperatureNodeRow } from '../db/schema.ts'
import { temperatureStore } from '../db/temperature.ts'
import type { FixedSwitches } from './fixed.ts'
import { count, invalidFile, nothing, part } from '../export-part.ts'

const ExportedSwitch = z.strictObject({
  connectionId: z.string().check(z.regex(/^pve-[0-9a-f]{12}$/)),
  node: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,62}$/)),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
})

/**
 * The nodes with temperature readings. An import replaces them. Host keys are not exported, because the
 * private key stays with its installation. Fixed switches do not change.
 */
export const temperaturesPart = (db: Database, now: () => number, fixed: FixedSwitches) =>
  part({
    key: 'temperatures',
    schema: z.array(ExportedSwitch).check(z.maxLength(1_000)),
    async read() {
      const rows = await all(db)
      if (rows.length === 0) return undefined
      return rows.map((row) => ({ connectionId: row.connection_id, node: row.node, port: row.port }))
    },
    async plan(switches) {
      if (switches.length === 0) return nothing
      const seen = new Set<string>()
      for (const [n, { connectionId, node }] of switches.entries()) {
        const mark = `${connectionId} ${node}`
        if (seen.has(mark)) throw invalidFile(`temperatures[${n}]`, 'the node appears twice')
        seen.add(mark)
      }
      const here = await all(db)
      const names = new Map(
        (await wholeTable(db, 'connections', ['id'])).map(({ id, name }) => [id, name] as const),
      )
      const isFixed = ({ connection_id, node }: Pick<TemperatureNodeRow, 'connection_id' | 'node'>) =>
        fixed.of(names.get(connection_id) ?? '', node) !== undefined
      const wanted = switches.map(({ connectionId, node, port }, n) => {
        const known = here.find(
          (row) => row.connection_id === connectionId && row.node === node && row.port === port,
        )
        return known ?? { connection_id: connectionId, node, port, host_key: null, created_at: now() + n }
      })
      const rows = wanted.filter((row) => !isFixed(row))
      const kept = here.filter(isFixed)
      const isNew = rows.some((row) => row.host_key === null)
      return {
        summary: count(rows.length, 'node with temperatures', 'nodes with temperatures'),
        notes: isNew
          ? ['Set up the temperature helper again on nodes that are new to this installation.']
          : [],
        queries: [
          db.query.deleteFrom('temperature_nodes').compile(),
          ...[...kept, ...rows].map((row) => db.query.insertInto('temperature_nodes').values(row).compile()),
        ],
      }
    },
  })

const all = (db: Database) => temperatureStore(db).all()
