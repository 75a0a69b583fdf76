import { describe, expect, test } from 'vitest'
import { addressProblem, endpointProblem } from './addresses.ts'

const abroad = { loopback: false }
const home = { loopback: true }

describe('[S11] an address that is never dialled, whatever the administrator typed', () => {
  test.each([
    ['link-local', '169.254.1.1'],
    ['the metadata service', '169.254.169.254'],
    ['mapped', '::ffff:169.254.169.254'],
    ['mapped in hexadecimal', '::ffff:a9fe:a9fe'],
    ['compatible', '::169.254.169.254'],
    ['translated', '::ffff:0:169.254.169.254'],
    ['NAT64', '64:ff9b::a9fe:a9fe'],
    ['NAT64 with a prefix of the site', '64:ff9b:1::a9fe:a9fe'],
    ['6to4', '2002:a9fe:a9fe::1'],
    ['Teredo, as the client', '2001:0:0102:0304::5601:5601'],
    ['Teredo, as the server', '2001:0:a9fe:a9fe::1'],
    ['ISATAP', '2001:db8::5efe:169.254.169.254'],
    ['ISATAP, globally unique', '2001:db8::200:5efe:a9fe:a9fe'],
    ['the metadata service of AWS over IPv6', 'fd00:ec2::254'],
    ['the metadata service of Google', 'fd20:ce::254'],
    ['the metadata service of Alibaba', '100.100.100.200'],
    ['the metadata service of Oracle', '192.0.0.192'],
    ['the host agent of Azure', '168.63.129.16'],
    ['link-local IPv6', 'fe80::1'],
    ['link-local IPv6 with a zone', 'fe80::1%eth0'],
    ['the end of link-local IPv6', 'febf:ffff::1'],
    ['nowhere', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['nowhere, IPv6', '::'],
    ['multicast', '224.0.0.1'],
    ['multicast IPv6', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['not an address', 'localhost'],
  ])('%s: %s', (_what, address) => {
    expect(addressProblem(address, abroad)).toBeTypeOf('string')
    expect(addressProblem(address, home)).toBeTypeOf('string')
  })
})

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
])('[S11] %s is dialled only when the administrator named this machine', (address) => {
  expect(addressProblem(address, abroad)).toMatch(/this machine itself/)
  expect(addressProblem(address, home)).toBeUndefined()
})

test.each([
  '10.0.0.5',
  '172.16.9.9',
  '192.168.1.20',
  '100.64.0.9',
  '203.0.113.7',
  'fd12:3456::7',
  'fd00:ec2::253',
  '2606:4700::1111',
  '64:ff9b::c000:0221',
  '2002:c000:0221::1',
  '::ffff:10.0.0.5',
  '169.253.255.255',
  '169.255.0.0',
])('[S11] %s may be a provider', (address) => expect(addressProblem(address, abroad)).toBeUndefined())

test.each([
  ['https://id.example.test/token', abroad, undefined],
  ['https://id.example.test:8443/token?x=1', abroad, undefined],
  ['https://10.0.0.5/', abroad, undefined],
  ['http://127.0.0.1:8080/', home, undefined],
  ['http://localhost:8080/', home, undefined],
  ['http://[::1]:8080/', home, undefined],
  ['http://127.0.0.1:8080/', abroad, 'https'],
  ['https://127.0.0.1/', abroad, 'this machine'],
  ['http://id.example.test/', home, 'https'],
  ['http://10.0.0.5/', home, 'https'],
  ['http://localhost.example.test/', home, 'https'],
  ['https://169.254.169.254/', home, 'metadata'],
  ['https://2852039166/', abroad, 'metadata'],
  ['https://0xa9fea9fe/', abroad, 'metadata'],
  ['https://0251.0376.0251.0376/', abroad, 'metadata'],
  ['https://169.254.43518/', abroad, 'metadata'],
  ['https://169.254.169.254./', abroad, 'metadata'],
  ['https://①⑥⑨.254.169.254/', abroad, 'metadata'],
  ['https://[::ffff:169.254.169.254]/', abroad, 'metadata'],
  ['https://[fe80::1]/', abroad, 'link-local'],
  ['https://0/', abroad, 'reserved'],
  ['https://127.1/', abroad, 'this machine'],
  ['https://id.example.test@169.254.169.254/', abroad, 'user name'],
  ['ftp://id.example.test/', abroad, 'https'],
  ['file:///etc/passwd', abroad, 'https'],
  ['javascript:alert(1)', home, 'https'],
  ['//id.example.test/', abroad, 'not a URL'],
  ['', abroad, 'not a URL'],
  [undefined, abroad, 'not a URL'],
  [7, abroad, 'not a URL'],
])('[S11] endpoint %s with %j: %s', (text, reach, problem) => {
  const found = endpointProblem(text, reach)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(problem)
})
