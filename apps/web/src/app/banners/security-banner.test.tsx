// @vitest-environment happy-dom
import { aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { dismissedUntil } from './dismissal.ts'
import { admin, inFreshBrowsers, secured, showBanners, viewer } from './fake-banners.tsx'
import { securityKey, securityWarning } from './security-banner.tsx'

inFreshBrowsers()

const banner = () => screen.queryByRole('region', { name: 'Security warning' })
const all = { ...secured, hasAuthentication: true }
const poor = { ...secured, hasHTTPS: false, apiTokenConfigured: false, user: admin }
const facts = ['hasHTTPS', 'apiTokenConfigured', 'exportProtected', 'credentialsEncrypted'] as const
const lacking = (count: number) =>
  aSecurityStatus({ ...all, ...Object.fromEntries(facts.slice(0, count).map((fact) => [fact, false])) })

describe('[spec 3 §9] the security score is out of 5, one point each', () => {
  test.each([
    { missing: 0, score: 5, tone: 'green', icon: 'shield', isDue: false },
    { missing: 1, score: 4, tone: 'green', icon: 'shield', isDue: false },
    { missing: 2, score: 3, tone: 'yellow', icon: 'warning', isDue: true },
    { missing: 3, score: 2, tone: 'orange', icon: 'alarm', isDue: true },
    { missing: 4, score: 1, tone: 'red', icon: 'alarm', isDue: true },
  ])('$missing missing: $score, $tone, $icon, shown: $isDue', ({ missing, ...warning }) => {
    expect(securityWarning(lacking(missing))).toMatchObject({ ...warning, outOf: 5 })
  })

  test.each([...facts, 'hasAuthentication'] as const)('%s is one of the five', (fact) => {
    expect(securityWarning(aSecurityStatus({ ...all, [fact]: false }))).toMatchObject({
      score: 4,
      missing: [fact],
    })
  })

  test('public access without authentication is shown whatever the score', () => {
    const open = { ...all, publicAccess: true }
    expect(securityWarning(aSecurityStatus(open)).isDue).toBe(false)
    expect(securityWarning(aSecurityStatus({ ...open, hasAuthentication: false }))).toMatchObject({
      score: 4,
      isDue: true,
      isOpen: true,
    })
  })
})

describe('[spec 3 §4] the security banner', () => {
  test('shows the score and the failed checks, and links to the security settings', async () => {
    await showBanners({ status: poor })
    expect(banner()!.textContent).toContain('Security score: 3/5')
    expect(banner()!.textContent).toContain('Missing: HTTPS, API token.')
    expect(banner()!.dataset['tone']).toBe('yellow')
    // [spec 3 §2]
    const way = screen.getByRole('link', { name: 'Enable Security' })
    expect(way.getAttribute('href')).toBe('/settings?tab=security')
    expect(screen.getByRole('status').textContent).toBe('Security score: 3/5')
  })

  test('names public access without authentication', async () => {
    const open = { ...poor, hasAuthentication: false, publicAccess: true, disabled: true }
    await showBanners({ status: open })
    expect(banner()!.textContent).toContain('Public access without authentication')
    expect(banner()!.dataset['tone']).toBe('red')
  })

  test('is hidden while enough checks pass, and for users who cannot act on it', async () => {
    await showBanners()
    expect(banner()).toBeNull()
    cleanup()
    await showBanners({ status: { ...poor, user: viewer } })
    expect(banner()).toBeNull()
  })

  test.each([
    { choice: 'For 1 day', days: 1 },
    { choice: 'For 1 week', days: 7 },
    { choice: 'Forever', days: 36_524 },
  ])('[spec 3 §9] dismissed $choice it is gone until that date, which is kept', async ({ choice, days }) => {
    await showBanners({ status: poor })
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    const period = await screen.findByRole('button', { name: choice })
    const before = Date.now()
    await act(async () => fireEvent.click(period))
    expect(banner()).toBeNull()
    const until = Date.parse(localStorage.getItem(securityKey)!)
    expect(Math.round((until - before) / 86_400_000)).toBeGreaterThanOrEqual(days)
    expect(Math.round((until - before) / 86_400_000)).toBeLessThanOrEqual(days + 1)
    cleanup()
    await showBanners({ status: poor })
    expect(banner()).toBeNull()
  })

  test('[spec 3 §9] forever is 100 years', () => {
    const now = Date.parse('2026-11-23T01:00:00Z')
    expect(dismissedUntil('forever', now)).toMatch(/^2126-11-23T/)
    expect(dismissedUntil('week', now)).toMatch(/^2026-11-30T/)
    expect(dismissedUntil('day', now)).toMatch(/^2026-11-24T/)
  })

  test.each(['2020-01-01T00:00:00.000Z', 'rubbish', ''])('comes back after %j', async (until) => {
    localStorage.setItem(securityKey, until)
    await showBanners({ status: poor })
    expect(banner()).not.toBeNull()
  })
})
