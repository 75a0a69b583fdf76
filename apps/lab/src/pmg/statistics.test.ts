import { expect, test } from 'vitest'
import { aMailGateway } from '../appliance/fixtures.ts'

const noon = Date.parse('2026-07-01T12:00:00Z')
const nowSeconds = noon / 1000
const atNoon = { now: () => noon }

test('[proxmox-api 3.1] without parameters the mail of yesterday is counted, and nothing of today', async () => {
  const { ask } = await aMailGateway(atNoon)
  const yesterday = (await ask('/statistics/mail')).data
  expect((await ask('/statistics/mail?day=30&month=6&year=2026')).data).toEqual(yesterday)
  const today = (await ask(`/statistics/mail?starttime=${nowSeconds}`)).data
  expect((await ask('/statistics/mail?day=1')).data).toEqual(today)
  expect(today).not.toEqual(yesterday)
  const figures = Object.values(yesterday as Record<string, unknown>)
  expect(figures.every((figure) => typeof figure === 'number')).toBe(true)
})

test.each([
  '/statistics/mail?timeframe=day',
  '/statistics/mailcount?timespan=24',
  `/statistics/mail?starttime=${nowSeconds}&day=1`,
  '/statistics/recent',
  '/statistics/recent?hours=48',
])('[collection 2.5] %s is refused', async (path) => {
  const { ask } = await aMailGateway(atNoon)
  expect(await ask(path)).toMatchObject({ status: 400, text: 'Parameter verification failed.' })
})

test('[proxmox-api 3.2] a day by hours: sums are texts, hours without mail are numbers', async () => {
  const { ask, list } = await aMailGateway(atNoon)
  const hours = await list('/statistics/mailcount')
  expect(hours).toHaveLength(24)
  expect(hours.map(({ time }) => time)).toEqual(
    Array.from({ length: 24 }, (_, hour) => nowSeconds - 86_400 + hour * 3600),
  )
  expect(hours.every(({ count }) => typeof count === 'number')).toBe(true)
  const kinds = new Set(
    (await list(`/statistics/mailcount?starttime=${nowSeconds - 20 * 86_400}&endtime=${nowSeconds}`)).map(
      (hour) => typeof hour.count_in,
    ),
  )
  expect(kinds).toEqual(new Set(['string', 'number']))
  const sum = hours.reduce((total, { count }) => total + Number(count), 0)
  const days = await list(`/statistics/mailcount?timespan=86400`)
  expect(days.reduce((total, { count }) => total + Number(count), 0)).toBe(sum)
  expect(await ask(`/statistics/mailcount?starttime=0`)).toMatchObject({ status: 200 })
  expect(await ask(`/statistics/mailcount?starttime=0&endtime=${nowSeconds}`)).toMatchObject({
    status: 500,
    text: "too many entries - try to increase parameter 'span'",
  })
})

test('[proxmox-api 3.4] the rolling statistics have bytes and add up to what the hours count', async () => {
  const { list } = await aMailGateway(atNoon)
  const recent = await list('/statistics/recent?hours=24')
  expect(recent).toHaveLength(48)
  expect(recent.reduce((sum, { bytes_in: bytes }) => sum + Number(bytes), 0)).toBeGreaterThan(1_000_000)
  const last = recent.at(-1)!
  expect(Number(last.time)).toBeLessThanOrEqual(nowSeconds)
})

test('[proxmox-api 3.4] the mail of a day by domain, no more than there was', async () => {
  const { ask, list } = await aMailGateway(atNoon)
  const rows = await list('/statistics/domains')
  expect(rows[0]).toMatchObject({ domain: 'example.com', count_in: expect.stringMatching(/^\d+$/) })
  const sum = rows.reduce((total, { count_in: count }) => total + Number(count), 0)
  const { count_in: all } = (await ask('/statistics/mail')).data as { count_in: number }
  expect(sum).toBeGreaterThan(all * 0.9)
  expect(sum).toBeLessThanOrEqual(all)
})

test('[proxmox-api 3.3] eleven spam levels; before 9.1 clean mail counts below zero', async () => {
  const { list } = await aMailGateway(atNoon)
  const scores = await list('/statistics/spamscores')
  expect(scores.map(({ level }) => level)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(scores[0]!.count).toBeLessThan(0)
  expect(scores.slice(1).every(({ count }) => Number(count) >= 0)).toBe(true)
})

test('[proxmox-api 3.5] averages of the quarantine are texts', async () => {
  const { ask, list } = await aMailGateway(atNoon)
  expect((await ask('/quarantine/spamstatus')).data).toMatchObject({ avgbytes: '5340.0', avgspam: '7.5' })
  expect((await ask('/quarantine/virusstatus')).data).toMatchObject({ count: expect.any(Number) as number })
  expect(await list('/quarantine/attachment')).toHaveLength(7)
  expect((await ask('/quarantine/blackliststatus')).status).toBe(501)
})

test('[proxmox-api 3] a quarantine manager sees statistics but no queues, a help desk neither', async () => {
  const { ask, credentials, signedIn } = await aMailGateway(atNoon)
  const statusesOf = async (login: { user: string; password: string }) => {
    const headers = await signedIn(login)
    const paths = [
      '/statistics/mail',
      '/quarantine/spamstatus',
      '/nodes/pmg1/postfix/qshape',
      '/nodes/pmg1/backup',
    ]
    return Promise.all(paths.map(async (path) => (await ask(path, { headers })).status))
  }
  expect(await statusesOf(credentials.manager)).toEqual([200, 200, 403, 403])
  expect(await statusesOf(credentials.helpdesk)).toEqual([403, 403, 403, 403])
})
