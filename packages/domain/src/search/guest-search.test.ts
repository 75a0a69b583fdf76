import type { Guest } from '@pulse/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileGuestSearch } from './guest-search.ts'

const NOW = Date.UTC(2026, 0, 1)
const at = { nowMs: NOW, running: true }

const web: Guest = {
  id: 'main-pve1-101',
  instance: 'main',
  node: 'pve1',
  vmid: 101,
  name: 'Web-Shop',
  type: 'qemu',
  status: 'running',
  cpu: 0.805,
  cpus: 4,
  memory: { total: 100, used: 42, free: 58, usage: 42 },
  disk: { total: 100, used: 91, usage: 91 },
  diskRead: 1500,
  networkIn: 12,
  startedAt: NOW - 7200_000,
  template: false,
  tags: 'Prod, eu-west',
  osName: 'Debian',
  ipAddresses: ['10.0.0.5', 'fe80::1'],
  source: 'c1',
}
const bare: Guest = {
  id: 'pve2-200',
  instance: 'pve2',
  node: 'pve2',
  vmid: 200,
  name: 'db',
  type: 'lxc',
  status: 'stopped',
  cpu: 0,
  cpus: 1,
  template: false,
  source: 'c2',
}

const matches = (text: string, guest: Guest = web, moment = at) => compileGuestSearch(text)(guest, moment)

describe('comma-separated terms', () => {
  test.each(['', '   ', ',', ' , ,'])('[spec 1 §5] empty input %j matches everything', (text) => {
    expect(matches(text, web)).toBe(true)
    expect(matches(text, bare)).toBe(true)
  })

  test.each([
    { text: 'shop', why: 'name' },
    { text: 'SHOP', why: 'name in any case' },
    { text: '10', why: 'part of the vmid' },
    { text: 'PVE1', why: 'node' },
    { text: 'unn', why: 'status' },
    { text: 'nothing, shop', why: 'any plain term may match' },
  ])('[spec 1 §5] the plain term $text matches by $why', ({ text }) => {
    expect(matches(text)).toBe(true)
  })

  test('[spec 1 §5] a plain term does not look into tags', () => {
    expect(matches('eu-west')).toBe(false)
  })

  test('[spec 1 §5] a plain term does not run across two fields', () => {
    expect(matches('shop101')).toBe(false)
    expect(matches('shop\u0000101')).toBe(false)
  })

  test.each([
    ['cpu>80', true],
    ['cpu>80, memory<20', false],
    ['cpu>80, memory<50', true],
    ['tags:prod', true],
    ['tags:prod, node:pve1', true],
    ['tags:prod, node:pve2', false],
    ['node:pve1, shop, nothing', true],
    ['node:pve1, nothing', false],
    ['node:pve2, shop', false],
  ])('[spec 1 §5] structured filters are combined with AND: %s is %s', (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  test('a pasted list of ids finds each of them', () => {
    expect(matches('99, 101, 205')).toBe(true)
    expect(matches('99,205', bare)).toBe(false)
  })
})

describe('AND and OR', () => {
  test.each([
    ['cpu>80 AND tags:prod', true],
    ['cpu>80 and tags:stage', false],
    ['cpu>99 OR tags:prod', true],
    ['cpu>99 or tags:stage', false],
    ['shop AND pve1', true],
    ['eu-west AND shop', true],
    ['nothing OR eu-west', true],
    ['nothing AND eu-west', false],
  ])('[spec 1 §5] %s is %s', (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  test('[spec 1 §5] the first operator found applies to all terms', () => {
    expect(matches('nothing OR shop AND missing')).toBe(true)
    expect(matches('shop AND pve1 OR missing')).toBe(false)
  })

  test('a comma joins like the operator', () => {
    expect(matches('cpu>80 AND tags:prod, node:pve1')).toBe(true)
    expect(matches('cpu>80 AND tags:prod, node:pve2')).toBe(false)
    expect(matches('nothing OR missing, shop')).toBe(true)
  })

  test('an operator is a word of its own', () => {
    const oracle = { ...bare, name: 'oracle-android' }
    expect(matches('or', oracle)).toBe(true)
    expect(matches('and', oracle)).toBe(true)
    expect(matches('oracle', oracle)).toBe(true)
    expect(matches('oracle AND', oracle)).toBe(true)
  })
})

describe('filters', () => {
  test.each([
    ['cpu>80.4', true],
    ['cpu > 81', false],
    ['cpu>=80.5', true],
    ['cpu<=80.5', true],
    ['cpu<80.5', false],
    ['cpu=80.5', true],
    ['cpu==80.51', true],
    ['cpu=80.53', false],
    ['CPU>80%', true],
    ['memory=42', true],
    ['disk>90', true],
    ['vmid=101', true],
    ['vmid>101', false],
    ['cpus>=4', true],
    ['diskRead>1000', true],
    ['networkIn<10', false],
  ])('[spec 1 §5] metric %s is %s', (text, expected) => {
    expect(matches(text)).toBe(expected)
    expect(matches(`${text} AND ${text}`)).toBe(expected)
  })

  test('[spec 1 §5] uptime counts in seconds and only for running guests', () => {
    expect(matches('uptime>7000')).toBe(true)
    expect(matches('uptime>7300')).toBe(false)
    expect(matches('uptime<99999999', web, { ...at, running: false })).toBe(false)
    expect(matches('uptime<99999999', bare)).toBe(false)
  })

  test('an unknown reading matches no comparison', () => {
    for (const text of ['disk>=0', 'disk<101', 'memory>=0', 'disk=-1', 'networkOut>=0']) {
      expect(matches(text, bare)).toBe(false)
    }
  })

  test.each([
    ['name:SHOP', true],
    ['node:ve1', true],
    ['vmid:01', true],
    ['tags:west', true],
    ['tags:stage', false],
    ['status:run', true],
    ['type:vm', true],
    ['type:lxc', false],
    ['osName:debian', true],
    ['ip:fe80::1', true],
    ['nosuchfield:x', false],
    ['nosuchfield>1', false],
    ['constructor:x', false],
    ['__proto__:x', false],
  ])('[spec 1 §5] text filter %s is %s', (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  test.each(['cpu>', 'cpu >=', 'node:', 'shop, cpu>', 'shop AND node:', 'node: OR shop'])(
    'a filter still being typed is left out: %s',
    (text) => {
      expect(matches(text)).toBe(true)
    },
  )

  test('a comparison with something that is no number is a raw term', () => {
    expect(matches('cpu>many')).toBe(false)
    expect(matches('cpu>many', { ...bare, name: 'x-cpu>many-x' })).toBe(true)
  })
})

describe('for any input', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'cpu>80',
      'memory<20',
      'tags:prod',
      'node:pve1',
      'AND',
      'or',
      ',',
      'shop',
      '101',
      'cpu>',
      ':',
    ),
    fc.string({ maxLength: 8 }),
  )
  const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '))

  test('it answers without throwing, the same in upper and lower case', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        // Characters that do not survive a change of case (ß, İ) make a different text.
        fc.pre(text.toUpperCase().toLowerCase() === text.toLowerCase())
        expect(matches(text.toUpperCase())).toBe(matches(text))
      }),
    )
  })

  test('AND narrows and OR widens', () => {
    const term = fc.constantFrom('cpu>80', 'cpu<10', 'shop', 'nothing', 'tags:prod', 'node:pve9', 'foo:bar')
    fc.assert(
      fc.property(term, term, fc.constantFrom(web, bare), (a, b, guest) => {
        const [left, right] = [matches(`${a} AND ${a}`, guest), matches(`${b} AND ${b}`, guest)]
        expect(matches(`${a} AND ${b}`, guest)).toBe(left && right)
        expect(matches(`${a} OR ${b}`, guest)).toBe(left || right)
      }),
    )
  })

  test('characters that mean something in a regular expression mean themselves', () => {
    for (const name of ['a.*b', '(x+)+$', '[a-z]', 'a\\b', '^x|y$']) {
      expect(matches(name, { ...bare, name })).toBe(true)
      expect(matches(name, { ...bare, name: 'plain' })).toBe(false)
    }
  })
})
