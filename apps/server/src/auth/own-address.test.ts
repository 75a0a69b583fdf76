import { expect, test } from 'vitest'
import { createOwnAddress } from './own-address.ts'

test('the address under which an administrator opened Pulse last is known', () => {
  const own = createOwnAddress()
  expect(own.known()).toBeUndefined()
  own.look({ site: 'https://pulse.example.com' })
  own.look({ site: 'http://192.0.2.4:7655' })
  expect(own.known()).toBe('http://192.0.2.4:7655')
})

test.each([undefined, 'http://localhost:7655', 'http://127.0.0.1:7655', 'http://[::1]:7655'])(
  'an address that leads nowhere from elsewhere is none: %s',
  (site) => {
    const own = createOwnAddress()
    own.look({ site: 'https://pulse.example.com' })
    own.look({ site })
    expect(own.known()).toBe('https://pulse.example.com')
  },
)
