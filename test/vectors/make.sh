#!/usr/bin/env bash
# Writes the signature vectors with openssl alone, so that no bug of ours can be in them.
# Usage: make.sh [directory]; without one, beside this script. The same files come out every time.
set -euo pipefail
export LC_ALL=C
command -v openssl >/dev/null || {
	echo 'make.sh needs openssl on the PATH' >&2
	exit 1
}
out=${1:-$(cd "$(dirname "$0")" && pwd)}
mkdir -p "$out"

# A JSON string. Bash variables hold no NUL, and the vectors no control characters but these two.
json() {
	local text=$1
	text=${text//\\/\\\\}
	text=${text//\"/\\\"}
	text=${text//$'\n'/\\n}
	text=${text//$'\t'/\\t}
	printf '"%s"' "$text"
}

# Walks the template from left to right, so that a value that looks like a placeholder stays.
fill() {
	local rest=$1 text='' found
	while [[ $rest =~ \{(client_id|sender|timestamp|salt|params)\} ]]; do
		found=${BASH_REMATCH[0]}
		text+=${rest%%"$found"*}
		case $found in
		'{client_id}') text+=$client_id ;;
		'{sender}') text+=$sender ;;
		'{timestamp}') text+=$timestamp ;;
		'{salt}') text+=$salt ;;
		'{params}') text+=$params ;;
		esac
		rest=${rest#*"$found"}
	done
	printf '%s' "$text$rest"
}

hexkey() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }

hmac() { openssl dgst "-$algorithm" -mac HMAC -macopt "hexkey:$(hexkey "$secret")" "$@"; }

sign() {
	case $encoding in
	hex) hmac -r | cut -d ' ' -f 1 | tr -d '\n' ;;
	base64) hmac -binary | openssl base64 -A ;;
	esac
}

defaults() {
	client_id='7f0c2b1e-55aa'
	sender='Amina Shop'
	secret='sk_test_0123456789abcdef'
	template='{client_id}|{sender}|{timestamp}|{salt}|{params}'
	timestamp=1767225600
	salt='00112233445566778899aabbccddeeff'
	params='{"amount":1500,"currency":"KES"}'
	algorithm=sha256
	encoding=hex
}

# vector <name> [field=value ...]
vector() {
	local name=$1 assignment text
	shift
	defaults
	for assignment in "$@"; do
		printf -v "${assignment%%=*}" '%s' "${assignment#*=}"
	done
	text=$(fill "$template"; printf x)
	text=${text%x}
	{
		printf '{\n'
		printf '\t"client_id": %s,\n' "$(json "$client_id")"
		printf '\t"sender": %s,\n' "$(json "$sender")"
		printf '\t"secret": %s,\n' "$(json "$secret")"
		printf '\t"template": %s,\n' "$(json "$template")"
		printf '\t"timestamp": %s,\n' "$timestamp"
		printf '\t"salt": %s,\n' "$(json "$salt")"
		printf '\t"params_text": %s,\n' "$(json "$params")"
		printf '\t"algorithm": %s,\n' "$(json "$algorithm")"
		printf '\t"encoding": %s,\n' "$(json "$encoding")"
		printf '\t"text_to_sign": %s,\n' "$(json "$text")"
		printf '\t"signature": %s\n' "$(json "$(printf '%s' "$text" | sign)")"
		printf '}\n'
	} >"$out/$name.json"
}

vector ascii
vector timestamp-zero timestamp=0
vector timestamp-far timestamp=253402300799
vector sender-with-spaces sender='  Amina  Shop '
vector sender-with-pipes sender='Amina|Shop|1' client_id='a|b'
vector sender-with-quotes sender='Amina "The" Shop \ Co'
vector secret-with-symbols secret='p@ss "word" \ $HOME `x` & %s'
vector secret-longer-than-a-block secret="$(printf 'k%.0s' {1..200})"

vector unicode-accents sender='Café Côte d’Ivoire' params='{"business_name":"Épicerie Ñandú","item_name":"Thé à la menthe"}'
vector unicode-combining sender=$'Cafe\xcc\x81' params=$'{"item_name":"e\xcc\x81 is not \xc3\xa9"}'
vector unicode-emoji sender='Shop 🛍️' params='{"item_name":"👩🏾‍🌾 basket 🥭","business_name":"𝒮𝒽𝑜𝓅"}'
vector unicode-right-to-left sender='متجر أمينة' params='{"business_name":"متجر أمينة","item_name":"طلب رقم ١٠٤٢"}'
vector unicode-secret secret='clé-secrète-🔑' params='{"id":"TX-1"}'
vector unicode-separators params=$'{"item_name":"a\xe2\x80\xa8b\xe2\x80\xa9c\xc2\xa0d\xe2\x80\x8be"}'

vector json-escapes params='{"item_name":"tab \t quote \" slash \/ backslash \\ newline \n","id":"\u0041\u00e9\ud83d\ude00"}'
vector json-whitespace params=$'{ "amount" : 1500 ,\n\t"currency" : "KES" }'
vector json-repeated-key params='{"id":"first","id":"second"}'

vector params-empty params='{}'
vector params-nested params='{"a":{"b":{"c":[1,[2,[3,{"d":null}]],true,false]}},"e":[]}'
vector params-array params='{"items":["x","y",{"z":[]}],"empty":[{}]}'
vector params-number-trailing-zero params='{"amount":1000.50}'
vector params-numbers params='{"a":1e3,"b":-0.0,"c":0.1,"d":123456789012345678901234567890,"e":1E-7}'
vector params-placeholders params='{"item_name":"{sender} {client_id} {params} {unknown} {}"}'
vector params-pipes params='{"item_name":"a|b||c|"}'
vector params-dollars params='{"item_name":"$& $1 $$ $` $'"'"' $<name> \\1 &"}'
vector params-like-an-envelope params='{"client_id":"x","sender":"y","timestamp":1,"salt":"z","signature":"s","params":{"a":1}}'

for algorithm_name in sha256 sha384 sha512; do
	for encoding_name in hex base64; do
		vector "algorithm-$algorithm_name-$encoding_name" "algorithm=$algorithm_name" "encoding=$encoding_name"
	done
done

vector template-other-order template='{params}{salt}{timestamp}{sender}{client_id}'
vector template-repeated template='{salt}.{params}.{salt}.{timestamp}{timestamp}'
vector template-without-params template='{client_id}:{timestamp}:{salt}'
vector template-one-placeholder template='{params}'
vector template-literal template='no placeholder at all'
vector template-literal-braces template='{{client_id}} { sender } {a-b} }{ {params}' params='{"id":"TX-1"}'
vector template-dollars template='$&{salt}$1|{params}|$$'
vector template-lines template=$'{client_id}\n{timestamp}\n{params}\n'
