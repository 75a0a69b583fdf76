import { aGuest, aNode } from '@pulse/testkit'
import { alertDefaults, type Guest } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { events, anEngine, minuteMs, settings, T0 } from '../fixtures.ts'
import { toKey } from '../../file-systems.ts'

const guests = (...list: Partial<Guest>[]) => ({ guests: list.map(aGuest) })
const OFF = 'guest-powered-off-main:100'
const usage = (percent: number) => ({ total: 100, used: percent, free: 100 - percent, usage: percent })

/** Reported in four consecutive answers. */
function after(change: Partial<Guest>, config = settings()) {
  const all = anEngine(config)
  all.tell('main', guests(change))
  for (let round = 0; round < 3; round++) all.poll('main')
  return all
}

describe('[spec 3 §9] figures of a running guest', () => {
  const io = { diskRead: 100, diskWrite: 100, networkIn: 100, networkOut: 100 }
  const withRates = settings({
    guestDefaults: {
      ...settings().guestDefaults,
      ...Object.fromEntries(Object.keys(io).map((metric) => [metric, { trigger: 100, clear: 95 }])),
    },
  })
  test.each([
    ['cpu', { cpu: 0.8 }, { cpu: 0.799 }],
    ['memory', { memory: usage(85) }, { memory: usage(84.9) }],
    ['disk', { disk: usage(90) }, { disk: usage(89.9) }],
    ['diskRead', { diskRead: 100 * 1_048_576 }, { diskRead: 99 * 1_048_576 }],
    ['diskWrite', { diskWrite: 100 * 1_048_576 }, { diskWrite: 99 * 1_048_576 }],
    ['networkIn', { networkIn: 100 * 1_048_576 }, { networkIn: 99 * 1_048_576 }],
    ['networkOut', { networkOut: 100 * 1_048_576 }, { networkOut: 99 * 1_048_576 }],
  ] as [string, Partial<Guest>, Partial<Guest>][])(
    '%s at its trigger is an alert, below it none',
    (metric, at, below) => {
      expect(after(at, withRates).open()).toEqual([`main:100-${metric}`])
      expect(after(below, withRates).open()).toEqual([])
    },
  )

  test('rates are off by default', () => {
    expect(after({ diskRead: 1e12, networkOut: 1e12 }).open()).toEqual([])
  })

  test('a rate is reported in megabytes', () => {
    const { alert } = after({ diskRead: 150 * 1_048_576 }, withRates)
    expect(alert('main:100-diskRead')).toMatchObject({
      value: 150,
      level: 'critical',
      metadata: { unit: 'MB/s', resourceType: 'VM' },
    })
    expect(alert('main:100-diskRead')!.message).toContain('150 MB/s')
  })

  test('unknown figures change nothing: nothing fires, and open alerts stay', () => {
    const { poll, open } = after({ cpu: 0.9 })
    const { cpu: _, ...unknown } = aGuest()
    poll('main', { guests: [unknown] })
    poll('main')
    expect(open()).toEqual(['main:100-cpu'])
  })

  test.each(['stopped', 'paused', 'suspended', 'io-error'])('a guest that is %s has none', (status) => {
    const { poll, open } = after({ cpu: 0.9 })
    poll('main', guests({ status, cpu: 0 }))
    expect(open()).toEqual([])
  })

  test('a node and a cluster of the same name are no reason to judge a guest as a node', () => {
    const { alert } = after({ instance: 'pve1', node: 'pve1', source: 'main', memory: usage(86) })
    expect(alert('main:100-memory')).toMatchObject({ threshold: 85, metadata: { resourceType: 'VM' } })
  })
})

describe('a memory figure whose origin changes', () => {
  const memory = (percent: number, estimate?: 'agent-silent' | 'agent-pending') =>
    guests({ memory: { ...usage(percent), ...(estimate && { estimate }) } })

  test('is no alert by itself: during a backup the agent does not answer, and the estimate counts caches', () => {
    const { tell, poll, open, trace } = anEngine()
    tell('main', memory(40))
    for (let round = 0; round < 10; round++) poll('main', memory(95 + round / 10, 'agent-silent'))
    expect(open()).toEqual([])
    expect(trace('main-pve1-100', 'main:100-memory')!.reason).toContain('estimate')
    for (let round = 0; round < 3; round++) poll('main', memory(40))
    expect(open()).toEqual([])
  })

  test('counts as an estimate once an estimate was below the trigger', () => {
    const { tell, poll, open } = anEngine()
    tell('main', memory(40))
    poll('main', memory(60, 'agent-silent'))
    poll('main', memory(95, 'agent-silent'))
    poll('main', memory(96, 'agent-silent'))
    expect(open()).toEqual(['main:100-memory'])
  })

  test('counts again each time: an old estimate below the trigger has no effect', () => {
    const { tell, poll, open } = anEngine()
    tell('main', memory(60, 'agent-silent'))
    poll('main', memory(40))
    for (let round = 0; round < 5; round++) poll('main', memory(95 + round / 10, 'agent-silent'))
    expect(open()).toEqual([])
  })

  test('without agent data nothing fires, and nothing open ends', () => {
    const { tell, poll, open } = anEngine()
    tell('main', memory(95, 'agent-pending'))
    poll('main', memory(96, 'agent-pending'))
    expect(open()).toEqual([])
    poll('main', memory(90))
    poll('main', memory(91))
    expect(open()).toEqual(['main:100-memory'])
    poll('main', memory(97, 'agent-silent'))
    poll('main', memory(10, 'agent-pending'))
    expect(open()).toEqual(['main:100-memory'])
  })
})

describe('file systems', () => {
  const disks = (...list: [string | undefined, number | undefined, string?][]) =>
    guests({
      disk: usage(95),
      disks: list.map(([mountpoint, percent, device]) => ({
        ...(mountpoint !== undefined && { mountpoint }),
        ...(device !== undefined && { device }),
        type: 'ext4',
        total: 100,
        ...(percent !== undefined && { used: percent, free: 100 - percent, usage: percent }),
      })),
    })

  test('each is judged separately, instead of their sum', () => {
    const { tell, poll, open, alert } = anEngine()
    tell('main', disks(['/', 50], ['/var/lib', 95, 'sdb1']))
    poll('main')
    expect(open()).toEqual(['main:100-disk-var-lib-sdb1-disk'])
    expect(alert('main:100-disk-var-lib-sdb1-disk')).toMatchObject({
      type: 'disk',
      resourceId: 'main-pve1-100',
      metadata: { mountpoint: '/var/lib', device: 'sdb1', diskType: 'ext4', totalBytes: 100, usedBytes: 95 },
    })
  })

  test('stay while the agent does not answer, and end with their file system', () => {
    const { tell, poll, open } = anEngine()
    tell('main', disks(['/', 95], ['/data', 96]))
    poll('main')
    poll('main', guests({}))
    expect(open()).toHaveLength(2)
    poll('main', disks(['/', 95]))
    expect(open()).toEqual(['main:100-disk-root-disk'])
    poll('main', guests({ status: 'stopped' }))
    expect(open()).toEqual([])
  })

  test('end when their threshold is switched off while the agent does not answer', () => {
    const { tell, poll, open, configure, said } = anEngine()
    tell('main', disks(['/', 95]))
    poll('main')
    poll('main', guests({}))
    expect(open()).toHaveLength(1)
    configure({ guestDefaults: { ...alertDefaults.guestDefaults, disk: { trigger: 0, clear: 0 } } })
    expect(open()).toEqual([])
    expect(said.at(-1)).toMatchObject({ what: 'resolved', stored: { alert: { endReason: 'unwatched' } } })
  })

  test('without size or usage nothing fires, and a duplicate counts once', () => {
    const { tell, poll, open } = anEngine()
    tell('main', disks(['/', undefined], ['/a', 95], ['/a', 96], [undefined, 97]))
    poll('main')
    expect(open()).toEqual(['main:100-disk-a-disk', 'main:100-disk-disk-4-disk'])
  })

  test.each([
    ['/', 'root'],
    ['/var/lib/', 'var-lib'],
    ['C:\\', 'c'],
    ['Ünïcode 1', 'n-code-1'],
    ['...', 'disk'],
    ['', 'disk'],
    ['/mnt/a.b', 'mnt-a.b'],
  ])('%j is called %s', (label, key) => {
    expect(toKey(label)).toBe(key)
  })
})

describe('powered off', () => {
  const stopped = guests({ status: 'stopped' })

  test('[spec 3 §9] is a warning after two checks', () => {
    const { tell, poll, alert } = anEngine()
    expect(tell('main', stopped)).toEqual([])
    expect(events(poll('main', stopped))).toEqual([`raised ${OFF}`])
    expect(alert(OFF)).toMatchObject({ type: 'powered-off', level: 'warning', value: 0, threshold: 0 })
  })

  test('one good check in between starts the count again', () => {
    const { tell, poll, open } = anEngine()
    tell('main', stopped)
    poll('main', guests({}))
    poll('main', stopped)
    expect(open()).toEqual([])
  })

  test('two answers in quick succession are one check', () => {
    const { tell, pass, open } = anEngine()
    tell('main', stopped)
    pass(1000)
    tell('main')
    expect(open()).toEqual([])
  })

  test('[spec 3 §3] has the configured level', () => {
    const guestDefaults = { ...settings().guestDefaults, poweredOffSeverity: 'critical' as const }
    expect(after({ status: 'stopped' }, settings({ guestDefaults })).alert(OFF)!.level).toBe('critical')
    const disabled = { ...guestDefaults, disableConnectivity: true }
    expect(after({ status: 'stopped' }, settings({ guestDefaults: disabled })).open()).toEqual([])
  })

  test.each(['backup', 'migrate', 'snapshot', 'clone', 'suspended'])(
    'a guest that is locked (%s) is not, and one that was stays so',
    (lock) => {
      const { poll, open, trace } = after({ status: 'stopped', lock })
      expect(open()).toEqual([])
      expect(trace('main:100', OFF)).toMatchObject({ state: 'unknown', reason: `It is locked: ${lock}.` })
      poll('main', stopped)
      poll('main', stopped)
      expect(open()).toEqual([OFF])
      poll('main', guests({ lock }))
      poll('main', guests({ status: 'stopped', lock }))
      expect(open()).toEqual([OFF])
    },
  )

  test('alerts of a guest stay while a backup has stopped it', () => {
    const { poll, open } = after({ cpu: 0.95 })
    poll('main', guests({ status: 'stopped', cpu: 0, lock: 'backup' }))
    poll('main', guests({ cpu: 0.96, lock: 'backup' }))
    expect(open()).toEqual(['main:100-cpu'])
  })

  test('a node that has just started has five minutes to start its guests', () => {
    const { tell, poll, pass, open, trace } = anEngine()
    tell('main', { nodes: [aNode({ startedAt: T0 - 20_000 })], ...stopped })
    for (let round = 0; round < 6; round++) poll('main')
    expect(open()).toEqual([])
    expect(trace('main:100', OFF)!.reason).toContain('has just started')
    pass(5 * minuteMs)
    poll('main')
    expect(open()).toEqual([OFF])
  })

  test('guests in an unknown state are not', () => {
    expect(after({ status: 'unknown' }).open()).toEqual([])
    expect(after({ status: 'stopped', staleSince: 1 }).open()).toEqual([])
  })
})

describe('invalid figures', () => {
  test.each([NaN, Infinity, -Infinity])('%f is unknown: nothing fires and nothing resolves', (cpu) => {
    expect(after({ cpu }).open()).toEqual([])
    const all = after({ cpu: 0.95 })
    for (let round = 0; round < 3; round++) all.poll('main', guests({ cpu }))
    expect(all.alert('main:100-cpu')).toMatchObject({ value: 95 })
    expect(all.trace('main:100-cpu', 'main:100-cpu')).toMatchObject({ reason: 'Its value is not known.' })
  })

  test('an extreme value is reported as it is, and can be stored', () => {
    const alert = after({ cpu: 1e306 }).alert('main:100-cpu')!
    expect(alert.message).not.toContain('Infinity')
    expect((JSON.parse(JSON.stringify(alert)) as typeof alert).value).toBe(1e306 * 100)
  })
})

describe('guests without new data', () => {
  test('a template is never powered off', () =>
    expect(after({ status: 'stopped', template: true }).open()).toEqual([]))

  test('the alert of a powered-off guest stays while its state is unknown', () => {
    const all = after({ status: 'stopped' })
    all.poll('main', guests({ status: 'unknown' }))
    expect(all.open()).toEqual([OFF])
  })

  test('a stale memory figure is no alert', () =>
    expect(after({ memory: { ...usage(99), staleSince: T0 } }).open()).toEqual([]))
})

test('a leftover lock holds the alert for a day, a suspended guest without a limit', () => {
  for (const [lock, open] of [
    ['backup', ['guest-powered-off-main:100']],
    ['suspended', []],
  ] as const) {
    const all = anEngine()
    for (let hour = 0; hour < 23; hour++) {
      all.tell('main', { guests: [aGuest({ status: 'stopped', lock })] })
      all.pass(3_600_000)
    }
    expect(all.open()).toEqual([])
    all.pass(2 * 3_600_000)
    for (let round = 0; round < 3; round++) all.poll('main')
    expect(all.open()).toEqual(open)
  }
})

test('an estimate counts after a day without the agent', () => {
  const all = anEngine()
  const memory = { total: 100, used: 97, free: 3, usage: 97, estimate: 'agent-silent' as const }
  for (let hour = 0; hour < 23; hour++) {
    all.tell('main', { guests: [aGuest({ memory })] })
    all.pass(3_600_000)
  }
  expect(all.open()).toEqual([])
  all.pass(2 * 3_600_000)
  for (let round = 0; round < 3; round++) all.poll('main')
  expect(all.open()).toEqual(['main:100-memory'])
})
