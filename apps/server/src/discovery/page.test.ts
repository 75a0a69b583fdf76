import { describe, expect, test } from 'vitest'
import { startPage } from './given.ts'
import { identifyCertificate, identifyPage, isPageDecided } from './page.ts'

describe('[collection 5.3] the start page says what a server is', () => {
  test.each([
    [startPage('pve', 'pve1'), { type: 'pve', version: '8.4.1', node: 'pve1' }],
    [startPage('pbs', 'backup'), { type: 'pbs', node: 'backup' }],
    [startPage('pmg', 'mail.example.com'), { type: 'pmg', node: 'mail.example.com' }],
    ['<title>pbs - Proxmox Virtual Environment</title>', { type: 'pve', node: 'pbs' }],
    ['<TITLE>\n x - Proxmox Backup Server \n</TITLE>', { type: 'pbs', node: 'x' }],
    ['<script src="/pve2/js/pvemanagerlib.js?ver=5.1-42"></script>', { type: 'pve', version: '5.1-42' }],
    ['<title><b>x - Proxmox Mail Gateway', undefined],
    ['<title>Grafana</title> runs on Proxmox Virtual Environment', undefined],
    ['<title>pve.lan</title>', undefined],
    ['', undefined],
  ])('%j', (html, expected) => expect(identifyPage(html)).toEqual(expected))

  test('a hostile node name or version is left out', () => {
    const title = '<title>"onload=alert(1) - Proxmox Virtual Environment</title>'
    expect(identifyPage(`${title}<script src="/pve2/js/pvemanagerlib.js?ver=8<b>"`)).toEqual({ type: 'pve' })
  })

  test('reading ends as soon as nothing more can be learned', () => {
    expect(isPageDecided('<html><title>a - Proxmox Virtual')).toBe(false)
    expect(isPageDecided('<title>a - Proxmox Virtual Environment</title>')).toBe(false)
    expect(isPageDecided('<title>a - Proxmox Virtual Environment</title></head>')).toBe(true)
  })
})

describe('[collection 5.3] the certificate speaks when the page does not', () => {
  test.each([
    ['OU=PVE Cluster Node\nO=Proxmox Virtual Environment\nCN=pve1.lan', 'pve'],
    ['CN=Proxmox Virtual Environment\nOU=0d2f\nO=PVE Cluster Manager CA', 'pve'],
    ['O=Proxmox Backup Server\nCN=x', 'pbs'],
    ['O=Proxmox Mail Gateway\nCN=pve', 'pmg'],
    ['O=Example\nCN=pve.example.com', undefined],
    ['O=Example\nCN=Proxmox Backup Server', undefined],
    ['', undefined],
  ])('%j: %s', (subject, expected) => expect(identifyCertificate(['', subject])).toBe(expected))
})
