import { META_ID } from '@pulse/contract'
import { absent } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { edgeValuesIn } from './edge-values.ts'
import { openHistoryFile } from './history-file.ts'

const T0 = Date.UTC(2026, 5, 5)
const minute = 60_000

test.each(['raw', 'minute'] as const)(
  '[M 3.5] what was measured first and last, of each thing that has both, from the tier %s',
  async (tier) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
    const history = openHistoryFile(path.join(folder, 'history.db'), [{ kind: 'storage', name: 'used' }], 0)
    onTestFinished(() => {
      history.close()
      fs.rmSync(folder, { recursive: true, force: true })
    })
    const field = history.opened().fields[0]!.number
    const ids = Array.from({ length: 300 }, (_, n) => `c1:${n}`)
    const things = history.things.identify(
      T0,
      [],
      ids.map((id) => ({ kind: 'storage', id, alias: id, mark: '' })),
    )
    for (let n = 0; n < 120; n++)
      history.append(T0 + n * minute, [
        { field, things, values: things.map((thing) => (thing === 7 ? absent.silent : thing + n)) },
      ])
    const asked = {
      kind: 'storage',
      field,
      tier,
      from: T0,
      to: T0 + 120 * minute,
      edgeMs: 15 * minute,
    } as const
    const values = await edgeValuesIn(history, { ...asked, ids: [...ids.toReversed(), 'c1:none', META_ID] })
    expect(values).toHaveLength(302)
    const found = new Map([...ids.toReversed(), 'c1:none'].map((id, n) => [id, values[n]]))
    expect(found.get('c1:299')).toEqual({ first: things[299], last: things[299]! + 119 })
    expect(found.get(ids[things.indexOf(7)]!)).toBeUndefined()
    expect(found.get('c1:none')).toBeUndefined()
  },
)
