/** The operating system of a guest. */
export interface Os {
  /** As `ostype` in the guest's configuration. */
  configType: string
  family: 'linux' | 'windows' | 'freebsd'
  id: string
  name: string
  prettyName: string
  version: string
  versionId: string
  kernelRelease: string
  kernelVersion: string
  agentVersion: string
}

const linux = (
  id: string,
  name: string,
  version: string,
  versionId: string,
  kernelRelease: string,
  agentVersion: string,
): Os => ({
  configType: 'l26',
  family: 'linux',
  id,
  name,
  prettyName: `${name} ${version}`,
  version,
  versionId,
  kernelRelease,
  kernelVersion: `#1 SMP PREEMPT_DYNAMIC ${name} ${kernelRelease}`,
  agentVersion,
})

const windows = (prettyName: string, versionId: string, configType: string, build: string): Os => ({
  configType,
  family: 'windows',
  id: 'mswindows',
  name: 'Microsoft Windows',
  prettyName,
  version: prettyName.replace(/ (Standard|Datacenter|Pro)$/, ''),
  versionId,
  kernelRelease: build,
  kernelVersion: '10.0',
  agentVersion: '107.0.1',
})

export const debian12 = linux('debian', 'Debian GNU/Linux', '12 (bookworm)', '12', '6.1.0-37-amd64', '7.2.17')
export const homeAssistant: Os = {
  ...linux('haos', 'Home Assistant OS', '15.2', '15.2', '6.12.23-haos', '9.2.0'),
  kernelVersion: '#1 SMP PREEMPT_DYNAMIC Tue Apr 15 12:00:00 UTC 2025',
}
export const oldCentos = linux('centos', 'CentOS Linux', '7 (Core)', '7', '3.10.0-1160.el7.x86_64', '2.12.0')
export const freebsd: Os = {
  configType: 'other',
  family: 'freebsd',
  id: 'freebsd',
  name: 'FreeBSD',
  prettyName: 'FreeBSD 14.2-RELEASE',
  version: '14.2-RELEASE',
  versionId: '14.2',
  kernelRelease: '14.2-RELEASE-p3',
  kernelVersion: 'FreeBSD 14.2-RELEASE-p3 GENERIC',
  agentVersion: '9.1.0',
}
export const windowsServer = windows('Windows Server 2022 Datacenter', '2022', 'win11', '20348')

export const vmSystems: readonly (readonly [number, Os])[] = [
  [30, debian12],
  [20, linux('ubuntu', 'Ubuntu', '24.04.2 LTS (Noble Numbat)', '24.04', '6.8.0-60-generic', '8.2.2')],
  [12, linux('ubuntu', 'Ubuntu', '22.04.5 LTS (Jammy Jellyfish)', '22.04', '5.15.0-140-generic', '6.2.0')],
  [10, linux('rocky', 'Rocky Linux', '9.6 (Blue Onyx)', '9.6', '5.14.0-570.el9.x86_64', '9.1.0')],
  [6, linux('alpine', 'Alpine Linux', 'v3.22', '3.22.0', '6.12.30-0-virt', '10.0.0')],
  [10, windowsServer],
  [5, windows('Windows 11 Pro', '11', 'win11', '26100')],
  [3, freebsd],
]

export const containerSystems: readonly (readonly [number, Os])[] = [
  [50, { ...debian12, configType: 'debian' }],
  [30, { ...linux('ubuntu', 'Ubuntu', '24.04 LTS', '24.04', '', ''), configType: 'ubuntu' }],
  [20, { ...linux('alpine', 'Alpine Linux', 'v3.22', '3.22.0', '', ''), configType: 'alpine' }],
]
