import { expect, test } from 'vitest'
import { messagePieces } from './message-text.tsx'

test('a message without a setting is one piece', () => {
  expect(messagePieces('URL is required')).toEqual([{ text: 'URL is required' }])
})

test('the names of settings lead to them, wherever they stand', () => {
  const hosts = { text: 'Allowed hosts', path: '/alerts/destinations#allowed-hosts' }
  expect(messagePieces('an administrator can allow localhost under Allowed hosts')).toEqual([
    { text: 'an administrator can allow localhost under ' },
    hosts,
  ])
  expect(messagePieces('Allowed hosts, or Settings → Security.')).toEqual([
    hosts,
    { text: ', or ' },
    { text: 'Settings → Security', path: '/settings/security' },
    { text: '.' },
  ])
})
