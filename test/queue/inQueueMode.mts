// Read by dev/host/n8n: what starts an n8n starts it in queue mode.
process.env.N8N_HOST_MODE = 'queue';
