export const confirmFlag = '--confirm-destinations'
export const configUsage = `config export <file> · config check <file> · config import <file> [${confirmFlag}]`

export const renewFlag = '--new'
export const siteKeyUsage = `site-key <site> [--to <folder>] [${renewFlag}]`
