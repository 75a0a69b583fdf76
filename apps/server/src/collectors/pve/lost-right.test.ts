import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

const all = ['Audit', 'AllocateSpace', 'Allocate', 'AllocateTemplate'].map((one) => `Datastore.${one}`)
const lost = (rights: readonly string[], storage: string) =>
  rights.map((right) => `${right}@/storage/${storage}`)

test.concurrent.for<[string, (storage: string) => string[]]>([
  ['where others are left', (storage) => lost(all.slice(0, 3), storage)],
  ['where none is left', (storage) => lost(all, storage)],
  ['everywhere', () => all],
])(
  '[R19] a storage whose right is lost %s keeps its figures and backups, marked, and the right is named at once',
  async ([_where, dropped], context) => {
    const here = await given(context, { nodes: 2, guests: 12, factor: 40 })
    const { lab, clock, records, state, until, pass } = here
    here.start()
    const backups = () => here.backups('storageBackups')
    await until('backups', () => backups().length > 0, 120)
    // Past the first check of the rights.
    await pass(90)
    const { storage } = records('storage').find((row) =>
      backups().some((one) => one.storage === row.storage),
    )!
    const rows = () => records('storage').filter((row) => row.storage === storage)
    const files = () => backups().filter((one) => one.storage === storage)
    const before = { rows: rows().length, used: rows()[0]!.used, files: files().length }
    lab.control.resetRequests()
    const from = clock.monotonic()

    lab.control.patchToken(lab.credentials.tokenId, { drop: dropped(storage) })
    const lacking = () => state().unreadable?.find(({ what }) => what === 'storages')
    await until('the reason', () => lacking() !== undefined, 30)
    expect(lacking()!.right).toMatch(/^Datastore\.Audit on \/storage/)
    if (dropped(storage).some((one) => one.includes('@')))
      expect(lacking()!.right).toBe(`Datastore.Audit on /storage/${storage}`)
    await until('the marks', () => [...rows(), ...files()].every(({ staleSince }) => staleSince), 10)
    await pass(200)
    expect({ rows: rows().length, used: rows()[0]!.used, files: files().length }).toEqual(before)
    expect([...rows(), ...files()].every(({ staleSince }) => staleSince)).toBe(true)
    const minutes = (clock.monotonic() - from) / 60_000
    expect(lab.requests({ path: '/access/permissions' }).total).toBeLessThanOrEqual(Math.ceil(minutes) * 2)

    lab.control.patchToken(lab.credentials.tokenId, { drop: [] })
    await until('no complaint', () => lacking() === undefined, 120)
    await until('fresh figures', () => rows().every(({ staleSince }) => !staleSince), 30)
    await until('fresh backups', () => files().every(({ staleSince }) => !staleSince), 400)
  },
)

test.concurrent(
  'a refusal about a node is shown under its name, whichever address was asked',
  async (context) => {
    const { lab, start, until, state, isComplete } = await given(context, { nodes: 3, guests: 3, factor: 60 })
    start()
    await until('the whole picture', isComplete, 20)
    lab.control.addFault({ kind: 'status', status: 403, path: '/nodes/*/status' })
    const lacking = () =>
      state().unreadable?.flatMap(({ what, error }) => (/^pve\d /.test(what) ? [[what, error]] : [])) ?? []
    await until('all of them', () => lacking().length === 3, 400)
    for (const [what, error] of lacking())
      expect(error).toMatch(new RegExp(`^${what!.slice(0, 4)}: the account`))
  },
)

test.concurrent(
  'one question about a storage that is refused leaves what the rights as a whole say',
  async (context) => {
    const here = await given(context, { nodes: 2, guests: 12, factor: 40 })
    const { lab, records, state, until, pass } = here
    here.start()
    await until('storages', () => records('storage').length > 2, 60)
    await pass(90)
    const [gone, kept] = [...new Set(records('storage').map(({ storage }) => storage))] as [string, string]
    lab.control.addFault({
      kind: 'status',
      status: 500,
      path: '/access/permissions',
      query: { path: `/storage/${gone}` },
    })
    // The first storage has no line left and is queried by name. The second is visible in the whole answer.
    lab.control.patchToken(lab.credentials.tokenId, {
      drop: [...lost(all, gone), ...lost(all.slice(0, 3), kept)],
    })
    await pass(300)
    expect(records('storage').some(({ storage }) => storage === kept)).toBe(true)
    expect(state().unreadable?.find(({ what }) => what === 'storages')?.right).toContain(`/storage/${kept}`)
  },
)
