import { describe, expect, test } from 'vitest'
import { alertConfigLimits } from './alert-bounds.ts'
import { AlertConfigInput } from './alert-config-input.ts'
import { alertDefaults } from './alert-defaults.ts'

const read = (input: unknown) => AlertConfigInput.parse(input)
const problemsOf = (input: unknown) =>
  AlertConfigInput.safeParse(input).error?.issues.map(({ path }) => path.join('.')) ?? []

test.each([
  [{ metricTimeThresholds: { guest: { cpu: 604_801 } } }, 'Use 0 to 604,800 seconds (7 days).'],
  [{ timeThresholds: { guest: 1e9 } }, 'Use 0 to 604,800 seconds (7 days).'],
  [{ storageDefault: { trigger: 101, clear: 90 } }, 'Use -1 to 100.'],
])('what is out of bounds is refused with a sentence that names them', (input, sentence) => {
  expect(AlertConfigInput.safeParse(input).error?.issues.map(({ message }) => message)).toEqual([sentence])
})

test('the whole configuration comes through as it is', () => {
  const whole = {
    ...alertDefaults,
    activationTime: '2026-01-01T00:00:00.000Z',
    overrides: { 'guest:pve-1:100': { cpu: { trigger: 95, clear: 90 }, disabled: false } },
    metricTimeThresholds: { guest: { cpu: 30 } },
    dockerIgnoredContainerPrefixes: ['runner-'],
  }
  expect(read(whole)).toEqual(whole)
})

test('[facts/alerts 2] what is not known is dropped, for clients of other versions send it', () =>
  expect(read({ surprise: 1, guestDefaults: { cpu: { trigger: 1, clear: 1 }, more: 1 } })).toEqual({
    guestDefaults: { cpu: { trigger: 1, clear: 1 } },
  }))

describe('[spec 3 §5] what is out of bounds is refused, and named', () => {
  test.each([
    [{ nodeDefaults: { temperature: { trigger: 151, clear: 100 } } }, 'nodeDefaults.temperature.trigger'],
    [{ guestDefaults: { cpu: { trigger: 101, clear: 90 } } }, 'guestDefaults.cpu.trigger'],
    [{ guestDefaults: { cpu: { trigger: -2, clear: 0 } } }, 'guestDefaults.cpu.trigger'],
    [{ guestDefaults: { diskRead: { trigger: 10_001, clear: 9 } } }, 'guestDefaults.diskRead.trigger'],
    [{ storageDefault: { trigger: 'x', clear: 1 } }, 'storageDefault.trigger'],
    [{ dockerDefaults: { restartCount: 51 } }, 'dockerDefaults.restartCount'],
    [{ dockerDefaults: { restartWindow: 86_401 } }, 'dockerDefaults.restartWindow'],
    [{ overrides: { a: { memory: { trigger: 101, clear: 1 } } } }, 'overrides.a.memory.trigger'],
    [{ overrides: { a: { poweredOffSeverity: 'loud' } } }, 'overrides.a.poweredOffSeverity'],
    [{ schedule: { cooldown: 4 } }, 'schedule.cooldown'],
    [{ schedule: { cooldown: 121 } }, 'schedule.cooldown'],
    [{ schedule: { cooldown: 5.5 } }, 'schedule.cooldown'],
    [{ schedule: { maxAlertsHour: 11 } }, 'schedule.maxAlertsHour'],
    [{ schedule: { grouping: { window: 1801 } } }, 'schedule.grouping.window'],
    [
      { schedule: { escalation: { levels: [{ after: 4, notify: 'all' }] } } },
      'schedule.escalation.levels.0.after',
    ],
    [
      { schedule: { escalation: { levels: [{ after: 15, notify: 'me' }] } } },
      'schedule.escalation.levels.0.notify',
    ],
    [{ schedule: { quietHours: { start: '24:00' } } }, 'schedule.quietHours.start'],
    [{ schedule: { quietHours: { timezone: 'Mars/Olympus' } } }, 'schedule.quietHours.timezone'],
    [{ activationState: 'on' }, 'activationState'],
  ])('%j: %s', (input, path) => expect(problemsOf(input)).toContain(path))

  test.each([
    { guestDefaults: { cpu: { trigger: -1, clear: 0 } } },
    { schedule: { cooldown: 0, maxAlertsHour: 0 } },
    { schedule: { cooldown: 5 } },
    { schedule: { cooldown: 120, maxAlertsHour: 10, grouping: { window: 1800 } } },
    { schedule: { escalation: { levels: [{ after: 180, notify: 'email' }] } } },
  ])('%j is taken', (input) => expect(problemsOf(input)).toEqual([]))
})

describe('[facts/alerts 2] older forms', () => {
  test.each([
    ['a number is a trigger that clears 5 below', { cpu: 80 }, { cpu: { trigger: 80, clear: 75 } }],
    ['a name with Legacy too', { cpuLegacy: 80 }, { cpu: { trigger: 80, clear: 75 } }],
    ['of both the newer counts', { cpuLegacy: 80, cpu: 70 }, { cpu: { trigger: 70, clear: 65 } }],
    ['without a clear value', { cpu: { trigger: 80 } }, { cpu: { trigger: 80, clear: 75 } }],
    ['with one of 0', { cpu: { trigger: 80, clear: 0 } }, { cpu: { trigger: 80, clear: 75 } }],
    ['one above the trigger', { cpu: { trigger: 80, clear: 90 } }, { cpu: { trigger: 80, clear: 80 } }],
    ['an empty severity is none', { poweredOffSeverity: '', cpu: null }, {}],
    ['figures of containers as pairs', { restartCount: { trigger: 7, clear: 2 } }, { restartCount: 7 }],
  ])('%s', (_, given, override) =>
    expect(read({ overrides: { a: given } }).overrides).toEqual({ a: override }),
  )

  test('a single number clears by the margin that comes with it', () =>
    expect(read({ hysteresisMargin: 10, storageDefault: 85 }).storageDefault).toEqual({
      trigger: 85,
      clear: 75,
    }))

  test('what is to be more than nothing and is not, is as it left the factory', () =>
    expect(
      read({ observationWindowHours: 0, minimumDelta: -1, suppressionWindow: 0, hysteresisMargin: 0 }),
    ).toEqual({ observationWindowHours: 24, minimumDelta: 2, suppressionWindow: 5, hysteresisMargin: 5 }))

  test('[spec 3 §3] quiet days as numbers, of which 0 is Sunday', () =>
    expect(read({ schedule: { quietHours: { days: [0, 3] } } }).schedule?.quietHours?.days).toEqual({
      monday: false,
      tuesday: false,
      wednesday: true,
      thursday: false,
      friday: false,
      saturday: false,
      sunday: true,
    }))

  test('the older window of grouping wins when there is one', () => {
    const windows = (schedule: object) => {
      const { groupingWindow, grouping } = read({ schedule }).schedule!
      return [groupingWindow, grouping?.window]
    }
    expect(windows({ groupingWindow: 60, grouping: { window: 300 } })).toEqual([60, 60])
    expect(windows({ groupingWindow: 0, grouping: { window: 300 } })).toEqual([300, 300])
    expect(windows({ grouping: { window: 120 } })).toEqual([120, 120])
    expect(windows({ groupingWindow: 90 })).toEqual([90, 90])
  })

  test('what stands in for the window of grouping that is off is not taken for its window', () => {
    const off = (window?: number) =>
      read({ schedule: { groupingWindow: 30, grouping: { enabled: false, window } } })
    expect(off(600).schedule).toEqual({ groupingWindow: 600, grouping: { enabled: false, window: 600 } })
    expect(off().schedule).toEqual({ grouping: { enabled: false } })
  })

  test('lists and maps that are null are left out', () =>
    expect(read({ overrides: null, dockerIgnoredContainerPrefixes: null, customRules: null })).toEqual({}))
})

describe('[spec 3 §5] what is written in several ways is kept in one', () => {
  test('delays: small letters, whole seconds, none below 0; 0 stays', () => {
    const given = { ' Guest ': { ' CPU': 30.4, disk: -1, memory: 0, x: 'no' }, Node: { cpu: -5 } }
    expect(read({ metricTimeThresholds: given }).metricTimeThresholds).toEqual({
      guest: { cpu: 30, memory: 0 },
    })
    expect(read({ timeThresholds: { guest: 0, node: -1 } }).timeThresholds).toEqual({ guest: 0, node: 5 })
  })

  test('prefixes: trimmed, no blanks, once whatever their case', () =>
    expect(
      read({ dockerIgnoredContainerPrefixes: [' Runner-', 'runner-', '', '  ', 'tmp'] })
        .dockerIgnoredContainerPrefixes,
    ).toEqual(['Runner-', 'tmp']))

  test('[spec 3 §4] figures of gateways are whole and never below 0, days never below 0', () => {
    expect(read({ pmgDefaults: { queueTotalWarning: 10.6, holdQueueWarn: -1 } }).pmgDefaults).toEqual({
      queueTotalWarning: 11,
      holdQueueWarn: 0,
    })
    expect(read({ backupDefaults: { warningDays: -3 } }).backupDefaults).toEqual({ warningDays: 0 })
  })
})

describe('[S8] what no well-meaning client sends is an answer of its own', () => {
  test.each(['__proto__', '__defineGetter__', '__defineSetter__', 'constructor', 'hasOwnProperty'])(
    'a field called %s is dropped as any that is not known',
    (name) => expect(read(JSON.parse(`{"${name}":{"enabled":false}}`))).toEqual({}),
  )

  test('prefixes that are no text are refused', () =>
    expect(
      problemsOf({ dockerIgnoredContainerPrefixes: [{ toString: 1 }, { toString: null, valueOf: null }] }),
    ).toEqual(['dockerIgnoredContainerPrefixes.0', 'dockerIgnoredContainerPrefixes.1']))

  test.each([
    ['overrides', alertConfigLimits.overrides, (n: number) => [`guest:main:${n}`, { disabled: true }]],
    ['metricTimeThresholds', alertConfigLimits.delays, (n: number) => [`type ${n}`, { cpu: 5 }]],
  ])('more %s than %i are refused', (name, most, entry) => {
    const of = (count: number) => ({
      [name]: Object.fromEntries(Array.from({ length: count }, (_, n) => entry(n))) as unknown,
    })
    expect(problemsOf(of(most + 1))).toEqual([name])
  })
})
