import {
  type AnyRecord,
  type Guest,
  type HeldBackup,
  kindOf,
  type PbsBackup,
  type Protection,
  type PveBackup,
  type RecordKind,
} from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEstate } from '../estate.ts'
import { aGuest, aProtection, aRun, atMinute, listed, onServer } from './fixtures.ts'

const clusters = ['east', 'west', 'north']
const servers = ['vault', 'annex']
const vmid = fc.constantFrom(100, 101)
const minute = fc.integer({ min: 0, max: 4 })
/** Backups at this minute are in the future. */
const timeAhead = atMinute(4)
const ahead = (at: number) => (at === 4 ? { future: true } : {})
const size = fc.constantFrom(0, 5, 6)
const type = fc.constantFrom('qemu' as const, 'lxc' as const)

const guest = (source: string) =>
  fc
    .record({ vmid, type, name: fc.constantFrom('web', 'db'), node: fc.constantFrom('pve1', 'pve2') })
    .map(({ vmid: number, ...more }) => aGuest(source, number, more))

const file = (source: string) =>
  fc
    .record({
      vmid,
      minute,
      size,
      type: fc.constantFrom('qemu' as const, 'lxc' as const, 'unknown' as const),
      isPBS: fc.boolean(),
      store: fc.constantFrom('store', 'other'),
      verification: fc.constantFrom(undefined, 'ok', 'failed'),
    })
    .map(({ vmid: number, minute: at, store, isPBS, verification, ...more }) => {
      const one = listed(source, number, at, { ...more, isPBS, storage: store })
      if (one.list !== 'storageBackups') throw new Error('not a file')
      const kind = more.type === 'lxc' ? 'ct' : 'vm'
      const time = new Date(one.ctime * 1000).toISOString().replace('.000', '')
      return {
        ...one,
        id: `${source}-${store}-${kind}-${number}-${at}`,
        volid: `${store}:backup/${kind}/${number}/${time}`,
        verified: isPBS && verification === 'ok',
        ...ahead(at),
        ...(isPBS && verification !== undefined && { verification }),
      } as PveBackup
    })

const run = (source: string) =>
  fc
    .record({
      minute,
      vmid: fc.constantFrom(0, 100, 101),
      error: fc.constantFrom(undefined, 'no space'),
      log: fc.boolean(),
    })
    .map(({ minute: at, vmid: number, error, log }) =>
      aRun(source, at, {
        vmid: number,
        ...(error !== undefined && { error }),
        ...(number === 0 && log && { guests: [{ vmid: 100 }, { vmid: 101, error: 'broken' }] }),
      }),
    )

const held = (source: string) =>
  fc
    .record({
      vmid,
      minute,
      size,
      backupType: fc.constantFrom('vm', 'ct', 'host'),
      datastore: fc.constantFrom('main', 'second'),
      namespace: fc.constantFrom('', 'east', 'dc/west'),
      comment: fc.constantFrom(undefined, 'web', 'db'),
      verification: fc.constantFrom(undefined, 'ok' as const, 'failed' as const),
    })
    .map(({ vmid: number, minute: at, comment, verification, ...more }) => {
      const { verification: _, ...plain } = onServer(number, at, { ...more, source })
      return {
        ...plain,
        verified: verification === 'ok',
        ...ahead(at),
        ...(verification !== undefined && { verification }),
        ...(comment !== undefined && { comment }),
      } as PbsBackup
    })

type Pictures = Partial<Record<RecordKind, readonly AnyRecord[]>>

const few = <T>(of: fc.Arbitrary<T>, maxLength: number) => fc.array(of, { maxLength })
const fromCluster = fc.constantFrom(...clusters).chain((source) =>
  fc.record({
    source: fc.constant(source),
    pictures: fc.record(
      {
        guests: few(guest(source), 2),
        pveBackups: few(fc.oneof(file(source), run(source)), 6),
        protections: few(
          vmid.map((number) => aProtection(source, number)),
          2,
        ),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Pictures>,
  }),
)
const fromServer = fc.constantFrom(...servers).chain((source) =>
  fc.record({
    source: fc.constant(source),
    pictures: few(held(source), 6).map((pbsBackups) => ({ pbsBackups })) as fc.Arbitrary<Pictures>,
  }),
)
const gone = fc.record({ source: fc.constantFrom(...clusters, ...servers), pictures: fc.constant(undefined) })
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fromCluster },
    { weight: 4, arbitrary: fromServer },
    { weight: 1, arbitrary: gone },
  ),
  { minLength: 1, maxLength: 14 },
)

const keyed = (kind: RecordKind, list: readonly AnyRecord[]) => {
  const key = kindOf(kind).key as (record: AnyRecord) => string
  return new Map(list.map((one) => [key(one), one]))
}

type File = Extract<PveBackup, { list: 'storageBackups' }>
type Run = Extract<PveBackup, { list: 'backupTasks' }>
interface Known {
  guests: Guest[]
  files: File[]
  runs: Run[]
  servers: PbsBackup[]
  protections: Protection[]
}

const kindIn = { qemu: 'vm', lxc: 'ct' } as Record<string, string>
const timeOf = (one: File | PbsBackup) => ('list' in one ? one.ctime * 1000 : Date.parse(one.backupTime))
const snapshotOf = (one: File | PbsBackup) =>
  'list' in one
    ? one.volid.slice(one.volid.indexOf('/') + 1)
    : `${one.backupType}/${one.vmid}/${one.backupTime}`
const isOne = (one: File | PbsBackup, other: File | PbsBackup) =>
  snapshotOf(one) === snapshotOf(other) && (one.size === other.size || one.size === 0 || other.size === 0)
const locationOf = ({ source, datastore, namespace }: PbsBackup) => `${source} ${datastore} ${namespace}`

/** Possible owners, computed the slow way from everything that is listed. */
function mayOwn(one: File | PbsBackup, { guests, files, servers }: Known): Guest[] {
  const listings = files.filter((file) => file.isPBS && isOne(file, one)).map(({ source }) => source)
  const bearers = guests.filter(
    ({ vmid: number, type: kind }) =>
      String(number) === String(one.vmid) &&
      ('list' in one ? one.type === 'unknown' || one.type === kind : kindIn[kind] === one.backupType),
  )
  if ('list' in one && new Set(one.isPBS ? listings : []).size < 2)
    return bearers.filter(({ source }) => source === one.source)
  const listed = listings.length > 0 ? bearers.filter(({ source }) => listings.includes(source)) : bearers
  const elsewhere = (source: string) => {
    const listedBackups = servers.filter(
      (other) =>
        other.vmid === String(one.vmid) &&
        files.some((file) => file.isPBS && file.source === source && isOne(file, other)),
    )
    return (
      !('list' in one) &&
      listedBackups.length > 0 &&
      !listedBackups.some((other) => locationOf(other) === locationOf(one))
    )
  }
  const isUnsure =
    listed.length > 1 || (listings.length === 0 && listed.some(({ source }) => elsewhere(source)))
  if (!isUnsure) return listed
  const spaced = listed.filter(
    ({ instance }) => !('list' in one) && one.namespace.split('/').at(-1) === instance,
  )
  if (spaced.length === 1) return [spaced[0]!]
  const named = listed.filter(({ name }) => ('list' in one ? one.notes : one.comment) === name)
  return named.length === 1 ? [named[0]!] : [...listed, undefined as never]
}

const words = ['ok', undefined, 'never', 'failed']
const best = (all: readonly HeldBackup[]) =>
  all.toSorted(
    (a, b) =>
      Number(a.future ?? false) - Number(b.future ?? false) ||
      b.at - a.at ||
      words.indexOf(a.verification) - words.indexOf(b.verification),
  )[0]

function heldAs(one: File | PbsBackup): HeldBackup {
  const verification = one.verified ? 'ok' : one.verification === 'failed' ? 'failed' : 'never'
  const { instance, future = false } = one
  if (!('list' in one)) return { at: timeOf(one), instance, verification, future }
  return { at: timeOf(one), instance, future, ...(one.isPBS && { verification }) }
}

function expected(known: Known, source: string, number: number) {
  const { guests, files, runs, servers } = known
  const guest = guests.find((one) => one.source === source && one.vmid === number)
  const shown = [
    ...files.filter((file) => !file.isPBS || !servers.some((one) => isOne(file, one))),
    ...servers,
  ]
  const sure: HeldBackup[] = []
  const unsure: HeldBackup[] = []
  for (const one of shown) {
    const owners = mayOwn(one, known)
    if (!guest || !owners.includes(guest) || ('list' in one && one.source !== source)) continue
    ;(owners.includes(undefined as never) ? unsure : sure).push(heldAs(one))
  }
  const newest = best(sure)
  const good = best(sure.filter(({ verification }) => verification !== 'failed'))
  const ambiguous = best(unsure)
  const fates = runs
    .filter((one) => one.source === source)
    .flatMap(({ startTime, vmid: of, error, guests: all = [] }) =>
      (of > 0 ? [{ vmid: of, error }] : all).map((one) => ({ ...one, at: Date.parse(startTime) })),
    )
    .filter((one) => one.vmid === number)
  const last = Math.max(...fates.map(({ at }) => at))
  const failed = fates.some(({ at, error }) => at === last && error !== undefined)
  return {
    newest: newest && [newest.at, newest.verification],
    good: good && newest?.verification === 'failed' ? [good.at, good.verification] : undefined,
    failed: failed && !(newest && !newest.future && newest.at > last) ? last : undefined,
    ambiguous:
      ambiguous && !(newest && best([{ ...newest, verification: 'ok' }, ambiguous]) !== ambiguous)
        ? ambiguous.at
        : undefined,
  }
}

test('whatever came and went in whatever order, each guest is as protected as who looks through all lists would say', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const estate = createEstate()
      const now = new Map<string, Pictures>()
      for (const { source, pictures } of all) {
        if (pictures) now.set(source, { ...now.get(source), ...pictures })
        else now.delete(source)
        if (!pictures) estate.forget(source)
        else
          estate.observe(
            source,
            Object.fromEntries(
              Object.entries(pictures).map(([kind, list]) => [kind, keyed(kind as RecordKind, list)]),
            ),
          )
      }
      const every = <T>(kind: RecordKind) =>
        [...now.values()].flatMap((one) => [...keyed(kind, one[kind] ?? []).values()]) as T[]
      const files = every<PveBackup>('pveBackups')
      const known: Known = {
        guests: every('guests'),
        files: files.filter((one) => one.list === 'storageBackups'),
        runs: files.filter((one) => one.list === 'backupTasks'),
        servers: every('pbsBackups'),
        protections: every('protections'),
      }
      expect(estate.tables.protections.size).toBe(known.protections.length)
      for (const { source, vmid: number } of known.protections) {
        const { newest, newestGood, failed, ambiguous } = estate.tables.protections.get(
          `${source}:${number}`,
        )!
        expect({
          newest: newest && [newest.at, newest.verification],
          good: newestGood && [newestGood.at, newestGood.verification],
          failed: failed?.at,
          ambiguous: ambiguous?.at,
        }).toEqual(expected(known, source, number))
      }
      for (const { source, vmid: number, type: kind } of known.guests) {
        const shown = estate.tables.guests.get(`${source}:${number}`)!
        expect(shown.type).toBe(kind)
        const at = expected(known, source, number).newest?.[0]
        expect(shown.lastBackup).toBe(at === timeAhead ? undefined : at)
      }
    }),
    { numRuns: 300 },
  )
})
