import { describe, expect, test } from 'vitest'
import { networks, privateNetworks } from './networks.ts'

describe('[facts/platform 3.4] a list of networks', () => {
  test.each([
    { list: ['10.0.0.0/8'], has: ['10.0.0.0', '10.255.255.255'], not: ['9.255.255.255', '11.0.0.0'] },
    { list: ['192.0.2.7'], has: ['192.0.2.7'], not: ['192.0.2.6', '192.0.2.8'] },
    { list: ['192.0.2.7/32'], has: ['192.0.2.7'], not: ['192.0.2.8'] },
    { list: ['192.0.2.129/25'], has: ['192.0.2.128', '192.0.2.255'], not: ['192.0.2.127'] },
    { list: ['0.0.0.0/0'], has: ['1.2.3.4', '255.255.255.255'], not: ['::1', '2001:db8::1'] },
    { list: ['10.0.0.0/8'], has: ['::ffff:10.1.2.3', '::FFFF:a01:203'], not: ['::ffff:11.0.0.1'] },
    { list: ['::ffff:10.0.0.1'], has: ['10.0.0.1'], not: ['10.0.0.2'] },
    { list: ['2001:db8::/32'], has: ['2001:db8:ffff::1', '2001:DB8::1'], not: ['2001:db9::1', '10.0.0.1'] },
    { list: ['::1'], has: ['::1', '0:0:0:0:0:0:0:1'], not: ['::2', '127.0.0.1'] },
    { list: [], has: [], not: ['127.0.0.1', '::1', '0.0.0.0'] },
    { list: ['10.0.0.1', '10.0.0.3'], has: ['10.0.0.1', '10.0.0.3'], not: ['10.0.0.2'] },
  ])('$list holds $has and not $not', ({ list, has, not }) => {
    const set = networks(list)
    expect([...has, ...not].filter((address) => set.has(address))).toEqual(has)
    expect(set.size).toBe(list.length)
  })

  test.each([
    '',
    'localhost',
    'unknown',
    '10.0.0',
    '10.0.0.1:80',
    '[::1]',
    '999.0.0.1',
    '0x7f.0.0.1',
    '127.1',
  ])('"%s" is no address: in no network', (text) =>
    expect(networks(['0.0.0.0/0', '::/0']).has(text)).toBe(false),
  )

  test.each([
    '',
    ' ',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8.0',
    '10.0.0.0/ 8',
    '10.0.0.0/0x8',
    '10.0.0.0/255.0.0.0',
    '10.0.0/8',
    '010.0.0.1',
    '10.*',
    '*',
    '10.0.0.1-10.0.0.9',
    'proxy.lan',
    '[::1]',
    '::1/64/64',
    'fe80::1::2',
    ' 10.0.0.1',
  ])('"%s" is refused', (entry) =>
    expect(() => networks(['10.0.0.1', entry])).toThrow(/neither an address nor a network/),
  )

  test.each([
    ['127.0.0.1', true],
    ['10.1.2.3', true],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['192.168.1.1', true],
    ['169.254.169.254', true],
    ['100.64.0.1', true],
    ['100.127.255.255', true],
    ['100.128.0.1', false],
    ['::1', true],
    ['fe80::1', true],
    ['febf::1', true],
    ['fec0::1', false],
    ['fd12:3456::1', true],
    ['::ffff:192.168.1.1', true],
    ['8.8.8.8', false],
    ['2001:db8::1', false],
    ['', false],
  ])('[facts/platform 7.1] %s is private: %s', (address, expected) =>
    expect(privateNetworks.has(address)).toBe(expected),
  )
})
