// @vitest-environment happy-dom
import { getSystemConfig, postSystemSettings, putPreferences } from '@pulse/contract'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { inFreshBrowsers, open, showShell, signedIn, viewing } from './fake-shell.tsx'

inFreshBrowsers()

describe('[spec 1 §4] theme', () => {
  test('the toggle flips the theme and stores it', async () => {
    await showShell()
    fireEvent.click(screen.getByRole('button', { name: 'Switch to dark mode' }))
    expect(localStorage.getItem('darkMode')).toBe('true')
    fireEvent.click(screen.getByRole('button', { name: 'Switch to light mode' }))
    expect(localStorage.getItem('darkMode')).toBe('false')
  })

  test.each([
    { who: 'an administrator', status: signedIn, where: postSystemSettings.path },
    { who: 'a viewer', status: viewing, where: putPreferences.path },
    { who: 'any visitor while authentication is off', status: open, where: postSystemSettings.path },
  ])('the choice of $who goes to $where', async ({ status, where }) => {
    const { calls } = await showShell({ status })
    await act(async () => screen.getByRole('button', { name: 'Switch to dark mode' }).click())
    expect(localStorage.getItem('darkMode')).toBe('true')
    expect(calls.filter(({ body }) => body)).toEqual([{ path: where, body: { theme: 'dark' } }])
  })

  test('in demo mode the choice stays in the browser', async () => {
    const { calls } = await showShell({ status: { ...viewing, demo: true } })
    await act(async () => screen.getByRole('button', { name: 'Switch to dark mode' }).click())
    expect([localStorage.getItem('darkMode'), calls.filter(({ body }) => body)]).toEqual(['true', []])
  })

  const isDark = () => screen.queryByRole('button', { name: 'Switch to light mode' }) !== null

  test.each([
    { own: null, server: 'dark', dark: true },
    { own: null, server: 'light', dark: false },
    { own: null, server: '', dark: false },
    { own: 'false', server: 'dark', dark: false },
    { own: 'true', server: 'light', dark: true },
  ])('own $own, of the server $server: dark is $dark', async ({ own, server, dark }) => {
    if (own) localStorage.setItem('darkMode', own)
    const { calls } = await showShell({ theme: server })
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([dark, own])
    expect(calls.some(({ path }) => path === getSystemConfig.path)).toBe(own === null)
  })

  test('a browser without its own choice follows the server, also after a change while it was closed', async () => {
    await showShell({ theme: 'dark' })
    expect(isDark()).toBe(true)
    cleanup()
    await showShell({ theme: 'light' })
    expect(isDark()).toBe(false)
    cleanup()
    await showShell({ theme: 'dark' })
    cleanup()
    await showShell({ theme: '' })
    expect(isDark()).toBe(false)
  })

  test('[spec 1 §8] failures to load or save are only logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await showShell({ theme: new Error('no') })
    await act(async () => screen.getByRole('button', { name: 'Switch to dark mode' }).click())
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('The theme could not be loaded'),
      expect.stringContaining('The theme could not be saved'),
    ])
    expect(localStorage.getItem('darkMode')).toBe('true')
  })

  test('a theme set in another browser applies, and the browser keeps following the server', async () => {
    const { events } = await showShell()
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: 'dark' } }))
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([true, null])
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: '' } }))
    expect(isDark()).toBe(false)
  })

  test("it replaces the browser's own choice too; an empty theme does not", async () => {
    localStorage.setItem('darkMode', 'false')
    const { events } = await showShell()
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: 'dark' } }))
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([true, 'true'])
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: '' } }))
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([true, 'true'])
  })
})
