// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { renderInApp } from '../fake-app.tsx'
import { guestLink, useGuestLinks } from './guest-links.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('the link of a guest', () => {
  const guest = aGuest({ instance: 'main', node: 'pve1', vmid: 100 })

  test.each([
    { under: 'main-pve1-100', url: 'https://shop.example/', link: 'https://shop.example/' },
    { under: 'pve1-100', url: 'http://10.0.0.1:8080/x', link: 'http://10.0.0.1:8080/x' },
    { under: 'main-pve1-101', url: 'https://other.example/', link: undefined },
    { under: 'main-pve1-100', url: 'javascript:alert(1)', link: undefined },
    { under: 'main-pve1-100', url: 'data:text/html,x', link: undefined },
    { under: 'main-pve1-100', url: '', link: undefined },
    { under: 'main-pve1-100', url: 'not an address', link: undefined },
  ])('[spec 1 §3] $url under $under gives $link', ({ under, url, link }) => {
    expect(guestLink({ [under]: { id: under, customUrl: url } }, guest, 'c:100')).toBe(link)
  })
})

test('[spec 1 §3] a guest that migrates keeps its link, although its id changes', () => {
  const links = { 'main-pve1-100': { id: 'main-pve1-100', customUrl: 'https://shop.example/' } }
  const at = (node: string) => aGuest({ instance: 'main', node, vmid: 100 })
  expect(guestLink(links, at('pve2'), 'c:100')).toBeUndefined()
  guestLink(links, at('pve1'), 'c:100')
  expect(guestLink(links, at('pve2'), 'c:100')).toBe('https://shop.example/')
  expect(guestLink(links, at('pve2'), 'c:101')).toBeUndefined()
})

describe('loading the links', () => {
  function Probe() {
    return <output>{Object.keys(useGuestLinks()).join() || 'none'}</output>
  }

  test('[spec 1 §7] asked for once, when the page opens', async () => {
    const { calls } = await renderInApp(<Probe />, {
      replies: { '/api/guests/metadata': { 'pve1-100': { id: 'pve1-100' } } },
    })
    expect(calls).toEqual(['/api/guests/metadata'])
    expect(screen.getByRole('status').textContent).toBe('pve1-100')
  })

  test('[spec 1 §8] a failure is logged and nothing else', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await renderInApp(<Probe />)
    expect(screen.getByRole('status').textContent).toBe('none')
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]![0]).toContain('Guest metadata')
  })
})
