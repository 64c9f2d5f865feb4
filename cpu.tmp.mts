import { spawn } from 'node:child_process';
import http from 'node:http';
const root = process.argv[2]; const rows = 1000; const rounds = 3;
// a tiny service in another process
const server = spawn(process.execPath, ['-e', `require('http').createServer((q,r)=>{q.resume();q.on('end',()=>{r.setHeader('content-type','application/json');r.end(JSON.stringify({success:true,message:'Request accepted and is being processed.',data:{reference:'R'+Math.random().toString(36).slice(2),amount:100,currency:'KES',mobile:'254700000001',status:'pending'}}))})}).listen(0,'127.0.0.1',function(){console.log(this.address().port)})`], { stdio: ['ignore','pipe','inherit'] });
const port: number = await new Promise((r) => server.stdout.once('data', (d) => r(Number(String(d)))));
const { runNode } = await import(root + '/host/engine/index.mts');
const { UnifiedPayments } = await import(root + '/nodes/UnifiedPayments/UnifiedPayments.node.ts');
const { UnifiedPaymentsApi } = await import(root + '/credentials/UnifiedPaymentsApi.credentials.ts');
const wait = (u: NodeJS.CpuUsage) => (u.user + u.system) / 1000;
const results: number[] = [];
for (let round = 0; round < rounds; round++) {
  const before = process.cpuUsage();
  const { successJson, failedJson } = await runNode(new UnifiedPayments(), {
    resource: 'collection', operation: 'create', inputMode: 'columns',
    columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
    options: { concurrency: 50 },
  }, {
    items: Array.from({ length: rows }, (_, i) => ({ Country: 'KE', Amount: 100 + i, Mobile: '2547' + String(10000000 + i), 'Order No': 'B-' + round + '-' + i, 'Callback URL': 'https://n8n.example.com/webhook/pay' })),
    credentials: { unifiedPaymentsApi: { baseUrl: 'http://127.0.0.1:' + port, clientId: 'client', sender: 'Shop', secretKey: 'a-secret-key-of-some-length' } },
    credentialTypes: [new UnifiedPaymentsApi()], workflowId: 'w' + round,
  });
  results.push(wait(process.cpuUsage(before)) / rows);
  if (round === 0) console.log(successJson.length, failedJson?.length, JSON.stringify(successJson[0]).slice(0, 200));
}
console.log(root, 'CPU ms/row', results.map((x) => x.toFixed(2)).join(' '));
server.kill(); process.exit(0);
