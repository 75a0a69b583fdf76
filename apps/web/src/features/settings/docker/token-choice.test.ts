import { describe, expect, test } from 'vitest'
import { aToken } from '../fake-settings.tsx'
import { canReport, defaultName, isTokenOf, typedTokenError } from './existing-token.tsx'

test.each([
  { tokens: 0, name: 'Docker host 1' },
  { tokens: 4, name: 'Docker host 5' },
])('[spec 2 §5] with $tokens tokens the default name is $name', ({ tokens, name }) => {
  expect(defaultName(tokens)).toBe(name)
})

describe('a token may report', () => {
  test.each([
    { when: 'it may do everything', token: aToken(), expected: true },
    { when: 'it may report alone', token: aToken({ scopes: ['docker:report'] }), expected: true },
    { when: 'it may only read', token: aToken({ scopes: ['monitoring:read'] }), expected: false },
    { when: 'its end is ahead', token: aToken({ expiresAt: '2026-01-02T00:00:00Z' }), expected: true },
    { when: 'its end has come', token: aToken({ expiresAt: '2026-01-01T00:00:00Z' }), expected: false },
  ])('$expected when $when', ({ token, expected }) => {
    expect(canReport(token, Date.UTC(2026, 0, 1))).toBe(expected)
  })
})

describe('a text is the token of a record', () => {
  test.each([
    { text: 'ab12cd0000ef34', expected: true },
    { text: 'ab12cdef34', expected: false },
    { text: 'ab12cd0000ef35', expected: false },
    { text: 'xb12cd0000ef34', expected: false },
    { text: '', expected: false },
  ])('"$text": $expected', ({ text, expected }) => {
    expect(isTokenOf(text, aToken())).toBe(expected)
  })

  test('one that is not says which was meant', () => {
    expect(typedTokenError('something else', aToken())).toBe('This is not the token ab12cd…ef34')
    expect(typedTokenError('', aToken())).toBeUndefined()
    expect(typedTokenError('ab12cd0000ef34', aToken())).toBeUndefined()
  })
})
