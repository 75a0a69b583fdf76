import { describe, expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { hostileTexts } from './fixtures.ts'
import { setupHost, setupAddress, tokenNameFor } from './values.ts'

describe('[platform 10.2] what may stand in a script', () => {
  test.each([
    ['pve1', 'https://pve1:8006'],
    ['192.0.2.10', 'https://192.0.2.10:8006'],
    ['https://PVE.example.com:8443/#v1:0', 'https://pve.example.com:8443'],
    ['[2001:db8::1]', 'https://[2001:db8::1]:8006'],
    ['bücher.example', 'https://xn--bcher-kva.example:8006'],
  ])('%s is %s', (text, host) => {
    expect(setupHost(text, 'pve')).toBe(host)
  })

  test.each(["a'b", 'a$b', 'a`b', 'a;b', 'a&b', 'a b', 'a"b', 'a(b)', 'http://pve1', 'https://u:p@pve1', ''])(
    '%s is refused',
    (text) => {
      expect(() => setupHost(text, 'pve')).toThrow(AppError)
    },
  )

  test('of 1,000 hostile addresses each is refused or plain', () => {
    let refused = 0
    for (const text of hostileTexts(1_000)) {
      try {
        expect(setupHost(text, 'pve')).toMatch(/^https:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):\d+$/)
      } catch (error) {
        expect(error).toMatchObject({ code: 'validation_failed' })
        refused += 1
      }
    }
    console.log(`${refused} of 1000 refused`)
    expect(refused).toBeGreaterThan(600)
  })

  test.each([
    ['https://pulse.example.com/', 'https://pulse.example.com'],
    ['http://192.0.2.1:7655', 'http://192.0.2.1:7655'],
    ['javascript:alert(1)', undefined],
    ['https://example.com/monitor/pulse/', 'https://example.com/monitor/pulse'],
    ['https://pulse.example.com/$(id)', undefined],
    ['https://pulse.example.com/%41', undefined],
    ['https://pulse.example.com$(id)', undefined],
    ['ftp://pulse.example.com', undefined],
    [undefined, undefined],
  ])('the address in %s is %s', (text, address) => {
    expect(setupAddress(text)).toBe(address)
  })
})

test.each([
  ['http://192.0.2.1:7655', 'pulse-192-0-2-1-7655'],
  ['https://pulse.example.com', 'pulse-pulse-example-com'],
  ['http://[2001:db8::1]:7655', 'pulse-2001-db8-1-7655'],
  [`https://${'a'.repeat(60)}.example`, `pulse-${'a'.repeat(54)}`],
])('the token for %s is called %s, which both products accept', (url, name) => {
  expect(tokenNameFor(url)).toBe(name)
  expect(name).toMatch(/^[A-Za-z][A-Za-z0-9-]{1,59}$/)
})
