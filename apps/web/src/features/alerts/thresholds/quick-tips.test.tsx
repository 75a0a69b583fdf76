// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { click, freshBrowser } from '../fake-alerts.tsx'
import { showThresholds as show } from '../fake-thresholds.tsx'

const button = (name: string) => screen.queryByRole('button', { name })

freshBrowser()

describe('[spec 3 §2] quick tips', () => {
  test('that were dismissed do not come back by themselves', async () => {
    await show()
    await click('Dismiss quick tips')
    expect(localStorage.getItem('hideAlertsQuickTip')).toBe('true')
    cleanup()
    await show()
    expect(screen.queryByText('Quick tips')).toBeNull()
  })

  test('that were dismissed come back with a help button; the focus goes along', async () => {
    await show()
    expect(button('Show tips')).toBeNull()
    await click('Dismiss quick tips')
    expect(document.activeElement).toBe(button('Show tips')!)
    await click('Show tips')
    expect(screen.getByText('Quick tips')).toBeDefined()
    expect(localStorage.getItem('hideAlertsQuickTip')).toBeNull()
    expect(button('Show tips')).toBeNull()
    expect(document.activeElement).toBe(button('Dismiss quick tips')!)
  })

  test('that are hidden from the start take no focus', async () => {
    localStorage.setItem('hideAlertsQuickTip', 'true')
    await show()
    expect(document.activeElement).not.toBe(button('Show tips')!)
    expect(button('Show tips')).not.toBeNull()
  })
})
