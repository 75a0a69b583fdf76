import { describe, expect, test } from 'vitest'
import type { Caller } from './caller.ts'
import { notLocal } from './local-only.ts'
import { isLoopbackAddress } from './networks.ts'

type Local = Pick<Caller, 'peer' | 'headers'>

const caller = (headers: Record<string, string> = {}, peer = '127.0.0.1'): Local => ({
  peer,
  headers: { host: 'localhost:7655', ...headers },
})

describe('[design] with authentication switched off, only a direct loopback peer is admitted', () => {
  test.each([
    { who: 'a browser on this machine', caller: caller() },
    { who: 'a mapped loopback peer', caller: caller({}, '::ffff:127.0.0.1') },
    { who: 'IPv6 loopback', caller: caller({ host: '[::1]:7655' }, '::1') },
    { who: 'its own page', caller: caller({ origin: 'http://localhost:7655' }) },
    { who: 'its own fetch', caller: caller({ 'sec-fetch-site': 'same-origin' }) },
  ])('$who is admitted', ({ caller }) => expect(notLocal(caller)).toBeUndefined())

  test.each([
    { who: 'another machine', caller: caller({}, '192.0.2.7') },
    { who: 'a peer without address', caller: { ...caller(), peer: '' } },
    { who: 'a mapped private peer', caller: caller({}, '::ffff:10.0.0.1') },
    { who: 'a proxy on this machine', caller: caller({ 'x-forwarded-for': '127.0.0.1' }) },
    { who: 'a proxy with the standard header', caller: caller({ forwarded: 'for=127.0.0.1' }) },
    { who: 'a proxy that only says via', caller: caller({ via: '1.1 proxy' }) },
    { who: 'a rebound name', caller: caller({ host: 'evil.example:7655' }) },
    { who: 'a look-alike name', caller: caller({ host: 'localhost.evil.example' }) },
    { who: 'a host with user part', caller: caller({ host: 'localhost@evil.example' }) },
    { who: 'no host', caller: { ...caller(), headers: {} } },
    { who: 'another site', caller: caller({ origin: 'http://evil.example' }) },
    { who: 'another port', caller: caller({ origin: 'http://localhost:8080' }) },
    { who: 'the null origin', caller: caller({ origin: 'null' }) },
    { who: 'an empty origin', caller: caller({ origin: '' }) },
    { who: 'a cross-site navigation', caller: caller({ 'sec-fetch-site': 'cross-site' }) },
    { who: 'a neighbour on the same site', caller: caller({ 'sec-fetch-site': 'same-site' }) },
  ])('$who is refused', ({ caller }) => expect(notLocal(caller)).toBeTypeOf('string'))
})

test.each([
  ['127.0.0.1', true],
  ['127.255.3.4', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['::', false],
  ['0.0.0.0', false],
  ['localhost', false],
  ['127.1', false],
])('%s is loopback: %s', (address, expected) => expect(isLoopbackAddress(address)).toBe(expected))
