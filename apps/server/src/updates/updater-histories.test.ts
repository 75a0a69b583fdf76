import fc from 'fast-check'
import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aKey } from './fixtures.ts'
import { anUpdater } from './fixtures-updater.ts'

const key = aKey()
const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
const versions = ['1.0.0', '1.2.0']
const outcomes = [undefined, 'success', 'failed', 'rolled_back']
const statusOf = (outcome?: string) =>
  outcome === undefined ? 'restarting' : outcome === 'success' ? 'completed' : 'error'

/** Events around an update, in any order. */
const event = fc.oneof(
  fc.record({ kind: fc.constant('asked' as const) }),
  fc.record({
    kind: fc.constant('said' as const),
    outcome: fc.constantFrom(...outcomes),
    ofThis: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('passes' as const), ms: fc.constantFrom(1, 500, 30_000, 61_000) }),
  fc.record({ kind: fc.constant('restart' as const), version: fc.constantFrom(...versions) }),
  fc.record({
    kind: fc.constant('rubbish' as const),
    name: fc.constantFrom('progress.json', 'history.jsonl'),
  }),
)

test('[R13] whatever happens in whatever order, no update is under way for ever, and never two', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 8 }), async (events) => {
      const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-data-'))
      const at = (name: string) => path.join(dataDir, 'update', name)
      const clock = fakeClock()
      // no server listens there, because everything was fetched before
      const start = (version: string) =>
        anUpdater(version, { feed: 'http://127.0.0.1:9/', key, dataDir }, { clock })
      let server = start('1.0.0')
      fs.mkdirSync(path.join(dataDir, 'update'))
      const underWay = () => server.history.list().filter(({ status }) => status === 'in_progress')
      let count = 0

      /** Sets the state after the release was staged and the request written, when the server ends. */
      function ask() {
        if (server.updater.obstacle() !== undefined) return
        const event_id = `update-${count++}`
        const kind = { action: 'update', channel: 'stable', deployment_type: 'systemd' } as const
        const by = { initiated_by: 'user', initiated_via: 'ui' } as const
        const of = {
          version_from: '1.0.0',
          version_to: '1.2.0',
          status: 'in_progress',
          duration_ms: 0,
        } as const
        server.history.add({
          event_id,
          timestamp: new Date(clock.now()).toISOString(),
          ...kind,
          ...by,
          ...of,
        })
        fs.writeFileSync(at('request.json'), JSON.stringify({ id: event_id, version: '1.2.0' }))
        restart('1.0.0')
      }

      function restart(version: string) {
        server.stop()
        server = start(version)
        server.updater.start()
      }

      for (const happens of events) {
        if (happens.kind === 'asked') ask()
        if (happens.kind === 'said') {
          const { outcome, ofThis } = happens
          const id = ofThis ? `update-${count - 1}` : 'another'
          const said = {
            id,
            status: statusOf(outcome),
            progress: 95,
            message: '',
            updatedAt: `at ${clock.now()}`,
            outcome,
          }
          fs.writeFileSync(at('progress.json'), JSON.stringify(said))
          fs.rmSync(at('request.json'), { force: true })
        }
        if (happens.kind === 'passes') await clock.advance(happens.ms)
        if (happens.kind === 'restart') restart(happens.version)
        if (happens.kind === 'rubbish') fs.writeFileSync(at(happens.name), '{"id":\n\0')
        expect(underWay().length).toBeLessThanOrEqual(1)
        expect(server.updater.obstacle() !== undefined).toBe(underWay().length === 1)
      }
      await clock.advance(21 * 60_000)
      expect([underWay(), server.updater.obstacle(), clock.pending()]).toEqual([[], undefined, 0])
      expect(['idle', 'completed', 'error']).toContain(server.updater.status().status)
      expect(server.faults).toEqual([])
      fs.rmSync(dataDir, { recursive: true })
    }),
    { numRuns: 25 * scale },
  )
})
