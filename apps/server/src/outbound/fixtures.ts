import { isIPv4 } from 'node:net'
import type { Resolve } from './lookup.ts'

const forbiddenIpv4 = [
  '127.0.0.1',
  '127.9.8.7',
  '169.254.169.254',
  '169.254.1.1',
  '0.0.0.0',
  '100.100.100.200',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  '100.64.0.9',
  '198.18.0.1',
  '203.0.113.7',
]
const forbiddenIpv6 = [
  '::1',
  '::',
  'fe80::1',
  'febf:ffff::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'ff02::1',
  'fec0::1',
  '2001:db8::1',
]

const hex = (n: number, digits = 0) => n.toString(16).padStart(digits, '0')
const octal = (n: number) => `0${n.toString(8)}`

/** IPv6 forms that embed a forbidden address. */
function inIpv6(address: string): string[] {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number]
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)]
  const inverted = `${hex(0xffff ^ (a * 256 + b))}:${hex(0xffff ^ (c * 256 + d))}`
  return [
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:FFFF:${high.toUpperCase()}:${low}`,
    `::ffff:0:${address}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`,
    `2001:0:102:304::${inverted}`,
    `2606:4700::5efe:${address}`,
    `2606:4700::200:5efe:${high}:${low}`,
    ...(a === 0 ? [] : [`::${address}`]),
  ]
}

/** Texts that some parsers accept as an IPv4 address. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = parts
  const whole = parts.reduce((sum, part) => sum * 256 + part, 0)
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0X${hex(whole, 8).toUpperCase()}`,
    octal(whole),
    `${a}.${b * 65536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.${c}.${octal(d)}`,
    parts.map((part) => `0x${hex(part)}`).join('.'),
    parts.map((part) => `0x${hex(part, 8)}`).join('.'),
    parts.map(octal).join('.'),
    parts.map((part) => `000${part.toString(8)}`).join('.'),
    [...address]
      .map((digit) => (digit === '.' ? digit : String.fromCodePoint(0xff10 + Number(digit))))
      .join(''),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    [...address].map((digit) => `%${hex(digit.codePointAt(0)!)}`).join(''),
  ]
}

/** Forbidden addresses in the form of DNS answers. */
export const forbiddenAddresses = (): string[] => [
  ...forbiddenIpv4,
  ...forbiddenIpv6,
  ...forbiddenIpv4.flatMap(inIpv6),
]

/** Forbidden hosts in the forms of a URL. */
export const forbiddenHosts = (): string[] => [
  ...forbiddenIpv4.flatMap(spellings),
  ...forbiddenAddresses()
    .filter((address) => !isIPv4(address))
    .map((address) => `[${address}]`),
  'localhost',
  'LocalHost',
  'localhost.',
  'a.localhost',
  'metadata.google.internal',
  'METADATA.goog.',
  'metadata',
  '[fe80::1%25eth0]',
  'gotify.lan@127.0.0.1',
  '127.0.0.1:80:90',
  '[::1',
  '①②⑦.0.0.1',
  '1２7.0.0.1',
]

/** A name server that returns the lists in order, and then the last one repeatedly. */
export function resolvesTo(...answers: string[][]) {
  const names: string[] = []
  const resolve: Resolve = (host, _options, callback) => {
    names.push(host)
    const addresses = answers[Math.min(names.length, answers.length) - 1] ?? []
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(null, found)
  }
  return { names, resolve }
}
