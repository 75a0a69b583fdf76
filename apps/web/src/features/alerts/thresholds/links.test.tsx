// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anAlertConfig, freshBrowser } from '../fake-alerts.tsx'
import { showThresholds as show } from '../fake-thresholds.tsx'

freshBrowser()

const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('[spec 3 §2] the names of guests, storage and datastores lead to where Proxmox shows them', async () => {
  await show()
  expect(link('pve1, open web interface')).toBe('https://pve1.example:8006')
  expect(link('web, open web interface')).toBe('https://pve1.example:8006#v1:0:=qemu%2F100')
  expect(link('mail, open web interface')).toBe('https://pve1.example:8006#v1:0:=lxc%2F101')
  expect(link('local, open web interface')).toBe('https://pve1.example:8006#v1:0:=storage%2Fpve1%2Flocal')
  expect(link('main, open web interface')).toMatch(/^https:\/\/.+:8007#DataStore-main$/)
})

test('[spec 1 §3] the link that people gave a guest comes before the one of its node', async () => {
  const id = 'main-pve1-100'
  await show('proxmox', {
    replies: { 'GET /api/guests/metadata': { [id]: { id, customUrl: 'https://shop.example/' } } },
  })
  expect(link('web, open web interface')).toBe('https://shop.example/')
})

test('container hosts and containers lead to the Docker page; what is not reported leads nowhere', async () => {
  await show('docker', {
    config: anAlertConfig({ overrides: { 'docker:gone/0': { disabled: true } } }),
  })
  expect(link('Cellar, open the Docker page')).toBe('/docker?search=host%3ACellar')
  expect(link('cache, open the Docker page')).toBe('/docker?search=name%3Acache')
  expect(screen.getAllByRole('link', { name: /open the Docker page/ })).toHaveLength(2)
})
