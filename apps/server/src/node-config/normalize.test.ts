import { describe, expect, test } from 'vitest'
import {
  normalizeFingerprint,
  normalizeHost,
  normalizeName,
  normalizeSite,
  normalizeTokenId,
  normalizeTokenValue,
  showFingerprint,
} from './normalize.ts'

test.each([
  ['', undefined],
  ['  ', undefined],
  ['main', undefined],
  [' main ', undefined],
  [' New York ', 'New York'],
])('the site %j is %j: the main one is none', (text, expected) => expect(normalizeSite(text)).toBe(expected))

describe('[facts/platform 10.1] hosts are brought to one form', () => {
  test.each([
    ['pve1', 'https://pve1:8006'],
    [' https://pve1/ ', 'https://pve1:8006'],
    ['https://pve1:8006/#v1:0:18', 'https://pve1:8006'],
    ['https://pve1.lan:443', 'https://pve1.lan:443'],
    ['192.0.2.10:9999', 'https://192.0.2.10:9999'],
    ['[2001:db8::1]', 'https://[2001:db8::1]:8006'],
    ['https://[2001:db8::1]:443/', 'https://[2001:db8::1]:443'],
    ['2001:db8::1', 'https://[2001:db8::1]:8006'],
    ['[2001:DB8:0:0::1]:9999', 'https://[2001:db8::1]:9999'],
    ['https://pve1/#v1:0:18', 'https://pve1:8006'],
    ['https://pve1/a:99', 'https://pve1:8006'],
    ['PVE1.lan.', 'https://pve1.lan.:8006'],
    ['bücher.example', 'https://xn--bcher-kva.example:8006'],
  ])('%s', (text, expected) => expect(normalizeHost(text, 'pve')).toBe(expected))

  test('the port is the kind its own', () => expect(normalizeHost('pbs', 'pbs')).toBe('https://pbs:8007'))

  test.each([
    ['', 'Host is required'],
    ['http://pve1', 'https://'],
    ['https://root:x@pve1', 'user and password'],
    ['fe80::1%eth0', 'with a zone'],
    ['https://[fe80::1%25eth0]:8006', 'with a zone'],
    ['https://[2001:db8::1', 'is not an address'],
    ['pve 1', 'is not an address'],
    ['file:///etc/passwd', 'is not an address'],
    ['https://', 'is not an address'],
    ['pve1:0', 'Port 0'],
    ['pve1:65536', 'is not an address'],
    ["pve1';id;'", 'is not a host name'],
    ['pve1$(id)', 'is not a host name'],
    ['-oProxyCommand=id', 'is not a host name'],
    ['"pve1"', 'is not a host name'],
    ['`id`', 'is not a host name'],
    ['a'.repeat(300), 'is not a host name'],
  ])('%j is refused', (text, message) => expect(() => normalizeHost(text, 'pve')).toThrow(message))
})

test.each([
  ['mon@pve!pulse', undefined, 'mon@pve!pulse'],
  ['pulse', 'mon@pve', 'mon@pve!pulse'],
  ['pulse', 'mon', 'mon@pam!pulse'],
])('token %s of %s is %s', (name, user, expected) =>
  expect(normalizeTokenId(name, user, 'pve')).toBe(expected),
)

test('a token name without a user is refused', () => {
  expect(() => normalizeTokenId('pulse', undefined, 'pve')).toThrow('user@realm!tokenname')
  expect(() => normalizeTokenId('a b!c', undefined, 'pve')).toThrow('user@realm!tokenname')
})

test.each(['a\nb', 'pässword', 'a b', '\u0000'])('a token value like %j is refused, not sent', (value) => {
  expect(() => normalizeTokenValue(value)).toThrow('contains invalid characters')
  expect(() => normalizeTokenId(`mon@pve!${value}x`, undefined, 'pve')).toThrow('user@realm!tokenname')
})

test('a name is one line of what can be seen', () => {
  expect(normalizeName('  home\r\n  lab\u202e\u200b ')).toBe('home lab')
  expect(normalizeName('Büro 🏢')).toBe('Büro 🏢')
  expect(normalizeName('\ud800\u0000\t')).toBe('')
})

test('a fingerprint is taken with or without colons, and shown as Proxmox does', () => {
  const hex = 'ab'.repeat(32)
  expect(normalizeFingerprint(showFingerprint(hex))).toBe(hex)
  expect(showFingerprint(hex)).toMatch(/^(AB:){31}AB$/)
  expect(() => normalizeFingerprint('AB:CD')).toThrow('64 hexadecimal digits')
})
