// @vitest-environment happy-dom
import { getHealth } from '@pulse/contract'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { HealthBanners } from './banners.tsx'
import { admin, inFreshBrowsers, secured, showBanners, viewer } from './fake-banners.tsx'
import { demoKey, legacySshKey } from './health-banners.tsx'

beforeAll(() => HealthBanners.preload())
inFreshBrowsers()

const legacy = { legacySSHDetected: true, recommendProxyUpgrade: true }
const legacyBanner = () => screen.queryByRole('region', { name: 'Temperature monitoring' })
const demoBanner = () => screen.queryByRole('region', { name: 'Demo mode' })

test('health is requested once, uncached, and after the first data', async () => {
  const { asked, showData } = await showBanners({ hasData: false })
  expect(asked(getHealth.path)).toEqual([])
  await showData()
  expect(asked(getHealth.path)).toEqual([{ path: getHealth.path, query: 'no-store' }])
})

test('a health call that fails is only logged', async () => {
  const { container } = await showBanners({ replies: { [getHealth.path]: new Error('away') } })
  expect(console.warn).toHaveBeenCalledTimes(1)
  expect(container.textContent).toBe('')
})

describe('[spec 3 §4] the legacy SSH banner', () => {
  test.each([
    { health: legacy, isShown: true },
    { health: { ...legacy, legacySSHDetected: false }, isShown: false },
    { health: { ...legacy, recommendProxyUpgrade: false }, isShown: false },
    { health: {}, isShown: false },
  ])('$health: $isShown', async ({ health, isShown }) => {
    await showBanners({ health })
    expect(legacyBanner() !== null).toBe(isShown)
  })

  test('[spec 3 §2] its button leads to /settings/nodes', async () => {
    await showBanners({ health: legacy })
    expect(screen.getByRole('link', { name: 'Go to node settings' }).getAttribute('href')).toBe(
      '/settings/nodes',
    )
  })

  test('once dismissed it never appears again', async () => {
    await showBanners({ health: legacy })
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss: Temperature monitoring' }))
    expect(legacyBanner()).toBeNull()
    expect(localStorage.getItem(legacySshKey)).toBe('true')
    cleanup()
    await showBanners({ health: legacy })
    expect(legacyBanner()).toBeNull()
  })

  test('is hidden from viewers', async () => {
    await showBanners({ health: legacy, status: { ...secured, user: viewer } })
    expect(legacyBanner()).toBeNull()
  })
})

describe('[spec 3 §4] the demo banner', () => {
  test.each([true, false])('the header of the health answer says %s', async (isDemo) => {
    await showBanners({ isDemo, status: { demo: true, user: viewer } })
    expect(demoBanner() !== null).toBe(isDemo)
  })

  test('once dismissed it stays hidden for this session only', async () => {
    const options = { isDemo: true, status: { ...secured, user: admin } }
    await showBanners(options)
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss: Demo mode' }))
    expect(demoBanner()).toBeNull()
    cleanup()
    await showBanners(options)
    expect(demoBanner()).toBeNull()
    expect(sessionStorage.getItem(demoKey)).toBe('true')
    expect(localStorage.getItem(demoKey)).toBeNull()
    cleanup()
    sessionStorage.clear()
    await showBanners(options)
    expect(demoBanner()).not.toBeNull()
  })
})
