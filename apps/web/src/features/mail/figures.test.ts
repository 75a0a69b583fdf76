import { mailStats } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { deliveryRows, flowRows, scoreRows, threatRows, volumeRows } from './figures.ts'

const hour24 = (over = {}) => mailStats(over)

describe('[spec 1 §2] Mail Flow (24h): count, per hour and percentage', () => {
  test('of a day', () => {
    expect(
      flowRows(hour24()).map(({ label, figure, perHour, share, of }) => [label, figure, perHour, share, of]),
    ).toEqual([
      ['Total processed', '2,400', '100/hr', '100.0%', 'all mail'],
      ['Inbound', '1,800', '75/hr', '75.0%', 'all mail'],
      ['Outbound', '600', '25/hr', '25.0%', 'all mail'],
      ['Spam caught', '450', '19/hr', '25.0%', 'inbound mail'],
      ['Viruses blocked', '9', '<1/hr', '0.5%', 'inbound mail'],
    ])
  })

  test('[spec 1 §5] a share of nothing is nothing: the denominator is 1 at least', () => {
    const none = hour24({ countTotal: 0, countIn: 0, countOut: 0, spamIn: 0, virusIn: 0 })
    expect(flowRows(none).map(({ figure, perHour, share }) => [figure, perHour, share])).toEqual(
      Array.from({ length: 5 }, () => ['0', '0/hr', '0.0%']),
    )
  })
})

test('[spec 1 §5] Traffic Volume in MB of 1024 × 1024, and their average an hour', () => {
  expect(volumeRows(hour24({ bytesOut: 3.5 * 1024 ** 2 }))).toEqual([
    { label: 'Inbound', figure: '240', unit: 'MB', perHour: '10 MB/hr' },
    { label: 'Outbound', figure: '3.5', unit: 'MB', perHour: '0.1 MB/hr' },
  ])
})

test('[spec 1 §2] Threat & Quarantine, and all that is held back', () => {
  expect(threatRows({ spam: 1040, virus: 3, attachment: 2, blacklisted: 1 })).toEqual([
    { label: 'Spam', figure: '1,040' },
    { label: 'Virus', figure: '3' },
    { label: 'Attachments blocked', figure: '2' },
    { label: 'Blacklisted', figure: '1' },
    { label: 'Total quarantined', figure: '1,046' },
  ])
})

test('what a gateway does not count is unknown, not none', () => {
  const rows = threatRows({ spam: 4, virus: 3, attachment: 2 })
  expect(rows.slice(3).map(({ figure }) => figure)).toEqual(['—', '9'])
})

describe('[spec 1 §2] Delivery Health', () => {
  test('what came back, what was turned away, and how long a mail takes', () => {
    expect(deliveryRows(hour24({ averageProcessTimeMs: 347 }))).toEqual([
      { label: 'Inbound bounces', figure: '21' },
      { label: 'Outbound bounces', figure: '7' },
      { label: 'RBL rejects', figure: '310' },
      { label: 'Pregreet rejects', figure: '42' },
      { label: 'Greylisted', figure: '77' },
      { label: 'Junk mail', figure: '500' },
      { label: 'Average process time', figure: '0.35', unit: 's', note: '≈ 173 messages/min' },
    ])
  })

  test('[spec 1 §5] the time has two decimals, also where the last is a zero', () => {
    const figures = [600, 1_000, 347].map(
      (averageProcessTimeMs) => deliveryRows(hour24({ averageProcessTimeMs })).at(-1)!.figure,
    )
    expect(figures).toEqual(['0.60', '1.00', '0.35'])
  })

  test('without mail there is no such time', () => {
    expect(deliveryRows(hour24({ averageProcessTimeMs: 0 })).at(-1)).toEqual({
      label: 'Average process time',
      figure: '—',
    })
  })
})

test('[spec 1 §2] Spam Score Distribution: count and percent by score; the last holds all above it', () => {
  const rows = scoreRows([
    { score: '10', count: 25 },
    { score: '2', count: 75 },
    { score: '0', count: 900 },
  ])
  expect(rows).toEqual([
    { score: '0', count: '900', share: '90.0%', percent: 90 },
    { score: '2', count: '75', share: '7.5%', percent: 7.5 },
    { score: '10+', count: '25', share: '2.5%', percent: 2.5 },
  ])
})
