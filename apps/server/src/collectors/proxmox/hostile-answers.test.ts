import { NodeTest } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as pbs from '../pbs/collect.ts'
import { pbsHost } from '../pbs/index.ts'
import * as pmg from '../pmg/collect.ts'
import { pmgHost } from '../pmg/index.ts'
import * as pve from '../pve/test-connection.ts'
import { SourceError } from '../source-error.ts'
import { givenHost } from './fixtures-host.ts'

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)

const key = fc.constantFrom(
  'version',
  'release',
  'node',
  'store',
  'comment',
  'name',
  'type',
  '/',
  '__proto__',
)
const value = fc.oneof(
  fc.constantFrom('4.0', '14', 'pbs1', '../../etc', '$(id)', '\u0000', '<b>', 1e308, -5),
  fc.jsonValue(),
)
const entry = fc.dictionary(key, value)
const answer = fc.oneof(fc.jsonValue(), fc.array(entry), entry)

const questions = {
  'PVE test': (ask: (path: string) => Promise<unknown>) => pve.examine(ask, fakeClock()),
  'PBS test': (ask: (path: string) => Promise<unknown>) => pbs.examine(ask, fakeClock()),
  'PMG test': (ask: (path: string) => Promise<unknown>) => pmg.examine(ask, fakeClock()),
  'PBS greeting': pbs.greet,
  'PMG greeting': pmg.greet,
}

test.each(Object.entries(questions))(
  '[S13] %s: 1,000 hostile answers are refused as such, or understood as far as they go',
  async (_name, question) => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 5 }), async (answers) => {
        let asked = 0
        try {
          const result = await question(() => Promise.resolve(answers[asked++ % answers.length]))
          if (typeof result === 'object') expect(NodeTest.safeParse(result).error).toBeUndefined()
        } catch (error) {
          expect(error).toBeInstanceOf(SourceError)
        }
      }),
      { numRuns: 1_000 * scale },
    )
  },
)

const field = fc.constantFrom(
  ...(
    'store total used error gc-status estimated-full-date mount-status id ns last-run-state last-run-endtime next-run upid ' +
    'worker_type worker_id starttime backup-type backup-id backup-time files verification size comment protected name conn_error ' +
    'loadavg uptime memory cpu count count_in time level domain 5m 1280m+ filename timestamp bytes_in ptimesum status __proto__'
  ).split(' '),
)
const content = fc.oneof(
  fc.constantFrom(
    'main',
    'vm',
    'ct',
    'TOTAL',
    'node',
    'OK',
    1_767_225_600,
    1e308,
    -1e160,
    -5,
    '1e9',
    '../x',
    '',
  ),
  fc.jsonValue(),
)
const rows = fc.oneof(fc.array(fc.dictionary(field, content)), fc.dictionary(field, content), fc.jsonValue())

test.each([
  ['PBS', pbsHost],
  ['PMG', pmgHost],
] as const)(
  '[S13] %s: whatever its answers hold, records keep to their schema and nothing is at fault here',
  async (_kind, host) => {
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 8 }), async (answers) => {
        let asked = 0
        const given = givenHost<never>(host as never, {
          '/version': { version: '4.0', release: '14' },
          '*': () => answers[asked++ % answers.length],
        })
        await given.pass(65)
        await given.running.stop()
        expect(given.state().health).toBe('healthy')
        expect(given.faults).toEqual([])
      }),
      { numRuns: 60 * scale },
    )
  },
)
