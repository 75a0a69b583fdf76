import type { VersionInfo } from '@pulse/contract'

/** The version info of an installed release. */
export const aBuild = (over: Partial<VersionInfo> = {}): VersionInfo => ({
  version: '5.1.0',
  build: 'x',
  goVersion: '',
  runtime: 'node',
  channel: 'stable',
  isDocker: false,
  isSourceBuild: false,
  isDevelopment: false,
  deploymentType: 'systemd',
  updateAvailable: false,
  containerized: false,
  ...over,
})
