import { getHistoryChanges, getHistoryState } from '@pulse/contract'
import { usualKeepMs } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createMask } from '../masking/mask.ts'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import type { History } from './history.ts'
import { pastRoutes } from './past.ts'

const T0 = Date.UTC(2026, 0, 5, 12)
const hour = 3_600_000

test.each([
  { rawHours: 6, hoursAgo: 5, tier: 'raw' },
  { rawHours: 6, hoursAgo: 7, tier: 'minute' },
  { rawHours: 168, hoursAgo: 100, tier: 'raw' },
])(
  '[M 3.4] $hoursAgo h ago, with samples as polled for $rawHours h, the figures are those of the tier $tier',
  async ({ rawHours, hoursAgo, tier }) => {
    const asked: unknown[] = []
    const ask = async (what: { query: { tier: string } }) => {
      asked.push(what.query.tier)
      return { do: 'state', oldest: T0, body: new Uint8Array() }
    }
    const routes = pastRoutes({
      history: { ask } as unknown as History,
      tables: createState(firstMeta(0, '0', [])).tables,
      mask: undefined,
      clock: fakeClock(T0),
      reachMs: () => ({ ...usualKeepMs, raw: rawHours * hour }),
    })
    const { handle } = routes.find(({ endpoint }) => endpoint === getHistoryState)!
    await handle({ query: { at: T0 - hoursAgo * hour }, caller: { headers: {} } } as never)
    expect(asked).toEqual([tier])
  },
)

/** What callers of a demonstration get, of connections that do not exist any more. */
async function masked(endpoint: unknown, answer: object, query: object): Promise<string> {
  const mask = createMask()
  const routes = pastRoutes({
    history: { ask: async () => answer } as unknown as History,
    tables: createState(firstMeta(0, '0', [])).tables,
    mask,
    clock: fakeClock(T0),
    reachMs: () => usualKeepMs,
  })
  const { handle } = routes.find((one) => one.endpoint === endpoint)!
  return JSON.stringify(mask.deep(await handle({ query, caller: { headers: {} } } as never)))
}

const site = 'site 7: rack'

test.each([
  { sources: [{ name: site, kind: 'pve' }], guests: [{ id: `${site}-pve1-100`, name: 'web' }] },
  { guests: [{ id: `${site}-pve1-100`, name: 'web', instance: site }] },
  { datastores: [{ name: 'store', server: site }], guests: [{ name: 'web', backup: `on ${site}` }] },
])('[M 2] a past state masks names of connections that were removed: %j', async (state) => {
  const index = Object.fromEntries(Object.keys(state).map((kind) => [kind, ['id']]))
  const body = Buffer.from(JSON.stringify({ at: 1, oldest: 0, frame: { t: 'snapshot', index, state } }))
  const text = await masked(getHistoryState, { do: 'state', oldest: 0, body }, { at: T0 })
  expect(text).toContain('web')
  expect(text).not.toContain('site 7')
})

test('[M 2] changes mask names of connections that were removed or renamed', async () => {
  const at = { at: 1, id: 'c1' }
  const notices = [
    { ...at, kind: 'sources', what: 'went', name: site },
    { ...at, kind: 'sources', what: 'renamed', name: 'now', from: 'site 8: rack', to: 'now' },
    { ...at, kind: 'datastores', what: 'came', name: 'store', where: 'site 9: rack' },
    { ...at, kind: 'guests', what: 'tagged', name: 'web', to: `${site};site 8: rack;site 9: rack` },
  ]
  const answer = { do: 'changes', oldest: 0, page: { notices }, counts: undefined }
  const query = { from: 0, to: T0, kind: 'guests', id: 'c1' }
  const text = await masked(getHistoryChanges, answer, query)
  expect(text).toContain('web')
  expect(text).not.toMatch(/site [789]/)
})
