import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  commonSubnets,
  formatIpv4,
  formatSubnet,
  liesIn,
  parseIpv4,
  parseSubnet,
  readSubnets,
  subnetsProblem,
} from './subnets.ts'

const invalid = 'Use CIDR format such as 192.168.1.0/24 (comma-separated for multiple)'
const empty = 'Enter at least one subnet in CIDR format (e.g., 192.168.1.0/24)'

describe('[spec 2 §5] custom subnets', () => {
  test.each([
    ['192.168.1.0/24', ['192.168.1.0/24']],
    [' 10.0.0.0/8 ,192.168.1.0/24 ', ['10.0.0.0/8', '192.168.1.0/24']],
    ['10.0.0.0/24,10.0.0.0/24', ['10.0.0.0/24']],
    ['auto, 10.0.0.0/24, AUTO', ['10.0.0.0/24']],
    ['10.0.0.0/24,', ['10.0.0.0/24']],
    ['0.0.0.0/0', ['0.0.0.0/0']],
    ['255.255.255.255/32', ['255.255.255.255/32']],
    ['192.168.1.57/24', ['192.168.1.57/24']],
  ])('%j is understood', (text, expected) => {
    expect(readSubnets(text)).toEqual(expected)
    expect(subnetsProblem(text)).toBeUndefined()
  })

  test.each([
    '192.168.1.0',
    '192.168.1.0/33',
    '192.168.1.0/',
    '192.168.1.0/024',
    '192.168.1.0/-1',
    '192.168.1.0/2 4',
    '192.168.1.256/24',
    '192.168.1/24',
    '192.168.1.0.0/24',
    '192.168..0/24',
    '010.0.0.0/24',
    '0x0a.0.0.0/24',
    '1e1.0.0.0/24',
    'fe80::/10',
    'pve.lan/24',
    '10.0.0.0/24;192.168.1.0/24',
    '10.0.0.0/24, nonsense',
    '٣.0.0.0/24',
    '10.0.0.0/24\n10.0.1.0/24',
  ])('%j is refused', (text) => expect(subnetsProblem(text)).toBe(invalid))

  test.each(['', '  ', ',', 'auto', ' auto , '])('%j names no subnet', (text) => {
    expect(subnetsProblem(text)).toBe(empty)
    expect(subnetsProblem(text, { enabling: true })).toBe(
      'Enter at least one subnet before enabling discovery',
    )
  })

  test('no text makes it throw, and accepted text can be parsed', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789./, auto') }))
    fc.assert(
      fc.property(text, (value) => {
        for (const entry of readSubnets(value) ?? []) expect(parseSubnet(entry)).toBeDefined()
      }),
    )
  })
})

test('a subnet is its first and last address, whatever address was entered', () => {
  const subnet = parseSubnet('192.168.1.57/24')!
  expect(subnet).toEqual({ first: parseIpv4('192.168.1.0'), last: parseIpv4('192.168.1.255'), prefix: 24 })
  expect(formatSubnet(subnet)).toBe('192.168.1.0/24')
})

test('every address survives parsing and formatting', () => {
  fc.assert(fc.property(fc.ipV4(), (text) => formatIpv4(parseIpv4(text)!) === text))
})

test('a network is within another when all its addresses are', () => {
  const lies = (inner: string, outer: string) => liesIn(parseSubnet(inner)!, parseSubnet(outer)!)
  expect(lies('10.1.0.0/24', '10.0.0.0/8')).toBe(true)
  expect(lies('10.0.0.0/8', '10.1.0.0/24')).toBe(false)
  expect(lies('11.0.0.0/24', '10.0.0.0/8')).toBe(false)
})

test('the shortcuts are subnets', () => expect(subnetsProblem(commonSubnets.join(','))).toBeUndefined())
