/** Keys are values of Node's `os.platform()`; unknown ones are shown as they are. */
const platforms: Readonly<Record<string, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  freebsd: 'FreeBSD',
  win32: 'Windows',
}

/** Keys are values of Node's `os.arch()`. */
const architectures: Readonly<Record<string, string>> = {
  x64: '64-bit x86',
  arm64: '64-bit ARM',
  arm: '32-bit ARM',
}

export const platformText = (os: string): string => platforms[os] ?? os
export const architectureText = (arch: string): string => architectures[arch] ?? arch
export const runtimeText = (runtime: string): string => runtime.replace(/^node /, 'Node.js ')

/** Capitalizes Proxmox states such as 'running'. */
export const statusText = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1)
