/**
 * Payloads of version 1 as they are on the line, with a field that only a later version has. They never change: processes of
 * an update, and collectors of other sites, have different versions.
 */
export const base =
  'KLUv/WTRAA0IALYRNCBQaZwxJZ1BIpL22yoNpNIt1XlEdFVfoKqdZ6QzqqrCGioAKQArAMsQtH2r2bcN5DzKubA93TEmsYhT6auwhQjrGGzrDLZzBbALaH2VBh93FM55BCQdQso5YhPW11nshTnKU1KKIPqD0HMLE0e6W9qjbDuj0teRvjQBj7PtTJIY02EYalEqk7jC8TD0TSwHTwF9txmcA3qz3vNOpS/r4JG+0B5nAzGmlFIyHIZxMByUznYLnlvN+YKueM1axTljDs4Zs5xI37eeO2NMkATRdxESAKzsIzYjcCMUhpEBaAK8A8/6YARsB5P5AUOEY2TU4JB4gu4wpi33jWY94ppOn/KSrg=='
export const changes =
  'KLUv/SS8FQQAUskbG5ClzQEkq4ndgkZhhDiJinTXBX5VW26jOf+5BLu7pxj0U0Ep9e2ewjjTYSBXevLtGRCGYtCJ7xSDDnBD64Hc0MiZ75goBBr0k5WevmPQiB4IuwK4oZmRCz19BfpIXQXOlKbRStNnQvDkMPoodTG3BQBIyHgZRZATJtRymWhnHr/2fkM='
export const card =
  '{"id":"old","host":"box","version":"0.9.0","site":"main","roles":["judge","laterRole"],"startedAt":1,"leads":true,"sources":3,"waiting":0,"installation":"one","laterField":{"a":1}}'
const pace = '{"hostMs":10000,"timeoutMs":10000,"laterField":1}'
const connection =
  '{"id":"pve-1","kind":"pve","name":"lab","host":"https://127.0.0.1:8006","auth":{"type":"token","tokenId":"a@pam!b","secret":"s"},"verifySSL":true,"site":"Berlin","flags":{"monitorVMs":true},"laterField":1}'
export const siteAnswer = `{"connections":[{"isKnown":true,${connection.slice(1)}],"pace":{"pve":${pace},"pbs":${pace},"pmg":${pace}},"laterField":1}`
export const siteTask = `{"test":${connection},"laterField":1}`
export const siteTestResult = '{"status":"success","message":"Connected.","laterField":1}'
