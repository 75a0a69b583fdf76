import { describe, expect, test } from 'vitest'
import { startPage } from './fixtures.ts'
import { identifyCertificate, identifyPage, maxPageBytes, readPage } from './page.ts'

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
    const page = readPage()
    expect(page.add('<html><title>a - Proxmox Virtual')).toBe(false)
    expect(page.add(' Environment</ti')).toBe(false)
    expect(page.add('tle>')).toBe(false)
    expect(page.add('</HE')).toBe(false)
    expect(page.add('AD><body>')).toBe(true)
    expect(page.text()).toBe('<html><title>a - Proxmox Virtual Environment</title></HEAD><body>')
  })

  test('the version ends the reading as the end of the head does', () => {
    const page = readPage()
    page.add('<title>a</title><script src="/pve2/js/pvemanagerlib.js?v')
    expect(page.add('er=8.4.1"')).toBe(true)
  })

  // Each of these made the earlier expressions scan the page once per character.
  test.each([
    ['the script, again and again', 'managerlib.js?ver='],
    ['titles that never end', '<title>'],
    ['ends of titles', '</title>'],
    ['versions', '/pvemanagerlib.js?ver=1'],
    ['a node name', 'a-'],
    ['line feeds', '\n'],
    ['angle brackets', '<'],
  ])('[S15] %s, as long as a page may be and a byte at a time, is read to its end', (_, piece) => {
    const page = readPage()
    const html = `<title>a - Proxmox ${piece.repeat(Math.ceil(maxPageBytes / piece.length))}`.slice(
      0,
      maxPageBytes,
    )
    for (const character of html.slice(0, -1)) expect(page.add(character)).toBe(false)
    expect(page.add(html.slice(-1))).toBe(true)
    expect(page.text()).toBe(html)
    expect(identifyPage(html)?.version).toBeUndefined()
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
