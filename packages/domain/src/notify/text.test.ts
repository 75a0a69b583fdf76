import { alertTypeText } from '@pulse/contract'
import { anAlert } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { redactedUrl, secretsOfUrl, withoutSecrets } from './redact.ts'
import { clipped, durationText, hasFigure, oneLine, thresholdText, valueText } from './text.ts'

test.each([
  ['cpu', 93.44, 80, '93.4%', '80%'],
  ['usage', 85, 85, '85.0%', '85%'],
  ['diskRead', 120.25, 100, '120.3 MB/s', '100 MB/s'],
  ['networkOut', 99.95, 100, '100.0 MB/s', '100 MB/s'],
  ['temperature', 81.26, 80, '81.3°C', '80°C'],
  ['backup-age', 8.5, 7, '8.5 days', '7 days'],
  ['message-age', 35, 30, '35 min', '30 min'],
  ['queue-depth', 512, 500, '512', '500'],
  ['cpu', Number.NaN, 80, '0.0%', '80%'],
])('[facts/alerts 10.1] %s %d of %d reads %s and %s', (type, value, threshold, shown, limit) => {
  const alert = anAlert({ type, value, threshold, metadata: {} })
  expect([valueText(alert), thresholdText(alert), hasFigure(alert)]).toEqual([shown, limit, true])
})

test.each([
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_000, '59m'],
  [3_660_000, '1h 1m'],
  [90_000_000, '1d 1h'],
  [-5, '0s'],
])('[facts/alerts 10.3] %d ms last %s', (ms, text) => expect(durationText(ms)).toBe(text))

test('types read as words', () => {
  expect(['cpu', 'diskRead', 'zfs-pool-state', 'docker-container-oom-kill'].map(alertTypeText)).toEqual([
    'CPU',
    'Disk read',
    'ZFS pool state',
    'Docker container OOM kill',
  ])
})

test('a cut text has whole characters, in one line', () => {
  expect(clipped('abcdef', 4)).toBe('abc…')
  expect(clipped('ab🚨🚨', 4)).toBe('ab…')
  expect(oneLine(' a\r\n\u2028b\u0000\ud800 ')).toBe('a b \ufffd')
})

describe('[S16] secrets of addresses', () => {
  test.each([
    ['https://discord.com/api/webhooks/112233/canary-token', 'https://discord.com/api/webhooks/***/***'],
    [
      'https://api.telegram.org/bot1:canary/sendMessage?chat_id=-5',
      'https://api.telegram.org/***/sendMessage?chat_id=***',
    ],
    ['https://hooks.slack.com/services/T0/B0/canary', 'https://hooks.slack.com/services/***/***/***'],
    ['https://gotify.lan:8443/message?token=canary', 'https://gotify.lan:8443/message?token=***'],
    ['https://ntfy.sh/canary', 'https://ntfy.sh/***'],
    ['https://ntfy.sh/alerts', 'https://ntfy.sh/***'],
    ['https://me:canary@hook.lan/', 'https://***@hook.lan/'],
    ['https://hook.lan', 'https://hook.lan'],
    ['https://hook.lan/?canary', 'https://hook.lan/?***'],
    ['canary', '***'],
  ])('%s is shown as %s', (url, shown) => expect(redactedUrl(url)).toBe(shown))

  test('a text that quotes one, plain or escaped, loses it', () => {
    const secrets = secretsOfUrl('https://me:pass%20word@hook.lan/x/canary+token/?key=canary%2Fkey')
    const text =
      'no https://me:pass%20word@hook.lan/x/canary+token/?key=canary%2Fkey, canary%2Btoken, canary/key, pass word'
    expect(withoutSecrets(text, secrets)).toBe('no ***, ***, ***, ***')
  })
})
