import { NodeTest } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as pbs from '../pbs/collect.ts'
import * as pmg from '../pmg/collect.ts'
import * as pve from '../pve/test-connection.ts'
import { SourceError } from '../source-error.ts'

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
  'PBS cycle': pbs.collect,
  'PMG cycle': pmg.collect,
}

test.each(Object.entries(questions))(
  '[S13] %s: 1,000 hostile answers are refused as such, or understood as far as they go',
  async (_name, question) => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 5 }), async (answers) => {
        let asked = 0
        try {
          const result = await question(() => Promise.resolve(answers[asked++ % answers.length]))
          if ('status' in result) expect(NodeTest.safeParse(result).error).toBeUndefined()
          else expect(result.records).toEqual({})
        } catch (error) {
          expect(error).toBeInstanceOf(SourceError)
        }
      }),
      { numRuns: 1_000 * scale },
    )
  },
)
