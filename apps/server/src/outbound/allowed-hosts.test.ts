import { OutboundConfig } from '@pulse/contract'
import { expect, test } from 'vitest'
import { isAllowed, plainEntry, withPlainHost } from './allowed-hosts.ts'

/** Its form in a URL is longer than a name may be. */
const chinese = Array.from({ length: 200 }, (_, n) => String.fromCodePoint(0x4e00 + n * 17)).join('')

test.each([
  ['Gotify.LAN.', 'gotify.lan'],
  ['127.1:8000', '127.0.0.1:8000'],
  ['[::1]:25', '[::1]:25'],
  ['a|b', 'a|b'],
  [chinese, chinese],
])('%s allows what it is understood as, and is an entry that can be stored', (entry, plain) => {
  expect(plainEntry(entry)).toBe(plain)
  expect(OutboundConfig.parse({ allowedHosts: [plain] })).toEqual({ allowedHosts: [plain] })
  for (const host of ['gotify.lan', '127.0.0.1', '::1'])
    for (const port of [25, 8000]) expect(isAllowed([plain], host, port)).toBe(isAllowed([entry], host, port))
})

test.each([
  ['https://me:pw@Ex%61mple.com/a?b', 'https://me:pw@example.com/a?b'],
  ['http://127.1:8000/{{.Title}}', 'http://127.0.0.1:8000/{{.Title}}'],
  ['no address', 'no address'],
])('%s leads to %s', (url, plain) => expect(withPlainHost(url)).toBe(plain))
