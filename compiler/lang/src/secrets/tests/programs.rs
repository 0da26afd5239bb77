//! Tests with commands of machine-learning jobs: commands with a credential, and similar commands without a credential.
use super::super::in_output;
use super::hidden;
use super::scripts::forms;

/// The credential in the commands of [`LEAKS`].
const VALUE: &str = "Xk9-TrOub4dor3zz";

/// Commands with a credential. `@@` stands for [`VALUE`].
const LEAKS: &[&str] = &[
    "docker --config /etc/.docker login -u me -p @@ registry.example.com",
    "docker -H tcp://h:2376 login --username me -p@@",
    "podman --log-level debug login -u me -p @@ quay.io",
    "sudo -E docker login -u '$oauthtoken' -p @@ nvcr.io",
    "timeout 60 helm registry login -u me -p @@ registry.example.com",
    "echo @@ | sudo docker login -u me --password-stdin",
    "echo @@ | helm registry login r.example.com -u me --password-stdin",
    "aws configure set aws_secret_access_key @@ --profile ml\naws s3 sync s3://b/train /data",
    "aws --profile ml configure set aws_session_token @@",
    "az login --service-principal -u 0f1e -p @@ --tenant t",
    "az acr login -n reg -u me -p @@",
    "az storage blob upload --account-name a --account-key @@ -f x",
    "gcloud config set auth/access_token @@",
    "gsutil -o Credentials:gs_secret_access_key=@@ cp gs://b/x .",
    "oc create secret generic db --from-literal=user=ml --from-literal=password=@@",
    "oc -n ml create secret generic hub --from-literal hf=@@",
    "oc config set-credentials ml --token=@@",
    "oc login https://api.example.com:6443 -u me -p @@",
    "vault login @@",
    "vault login -method=token -no-print @@",
    "echo @@ | vault login -",
    "wandb login @@\npython train.py",
    "wandb login --relogin --host https://wandb.example.com @@",
    "wandb login 01234567_89abcdef_@@",
    "huggingface-cli login --token @@ --add-to-git-credential",
    "hf auth login --token=@@",
    "huggingface-cli login <<< @@",
    "export HF_TOKEN=${HF_TOKEN:-@@}\npython train.py",
    ": ${DB_PASSWORD:=@@}\nexport DB_PASSWORD",
    ": \"${MLFLOW_TRACKING_PASSWORD:=@@}\"",
    "MLFLOW_TRACKING_TOKEN=$(echo @@) python t.py",
    "export TOKEN=\"$(printf '%s' @@ | tr -d ' ')\"",
    "typeset -x SECRET=@@\npython t.py",
    "declare -x DB_PASSWORD=@@; python t.py",
    "git clone https://oauth2:@@@gitlab.example.com/ml/code.git",
    "git -c http.extraheader='AUTHORIZATION: basic @@' clone https://h/x",
    "git config --global http.proxyPassword @@",
    "curl -fsS -H 'Authorization: token @@' https://api.github.com/user",
    "curl -H \"PRIVATE-TOKEN: @@\" https://gitlab.example.com/api/v4/projects",
    "curl -sSu me:@@ https://h/x",
    "curl --oauth2-bearer @@ https://h/x",
    "curl --proxy-user me:@@ -x http://p:3128 https://h/x",
    "curl -sS -U me:@@ -x http://p:3128 https://h/x | tar xz",
    "wget --header='X-Auth-Token: @@' https://h/x",
    "wget --http-user=me --http-password=@@ https://h/x",
    "pip install --index-url https://me:@@@pypi.example.com/simple torch",
    "pip config set global.password @@",
    "twine upload -u __token__ -p @@ dist/*",
    "poetry config pypi-token.pypi @@",
    "dvc remote modify --local store secret_access_key @@",
    "conda config set channel_token @@",
    "rclone config create r s3 access_key_id A secret_access_key @@",
    "mc alias set store https://s3.example.com ACCESS @@",
    "kaggle config set -n key -v @@",
    "mkdir -p ~/.kaggle\necho '{\"username\":\"ada\",\"key\":\"@@\"}' > ~/.kaggle/kaggle.json",
    "mysql -h db -uroot -p@@ -e 'select 1'",
    "mysqldump --host db -p'@@' features > f.sql",
    "psql \"host=db user=ml password=@@\" -c 'select 1'",
    "PGPASSWORD='@@' pg_dump features",
    "echo 'db:5432:features:ml:@@' > ~/.pgpass\nchmod 600 ~/.pgpass",
    "redis-cli -h cache -a @@ ping",
    "redis-cli -h cache AUTH @@",
    "redis-cli CONFIG SET requirepass @@",
    "mongosh -u ml -p @@ mongodb://db/features",
    "mongodump --host db -u ml -p@@ -o /out",
    "cqlsh -u ml -p @@ cassandra",
    "beeline -u jdbc:hive2://h:10000 -n ml -p @@",
    "sqlcmd -S db -U sa -P @@ -Q 'select 1'",
    "sshpass -p @@ ssh ml@gateway nvidia-smi",
    "ssh-keygen -t ed25519 -N @@ -f /etc/.ssh/id",
    "echo @@ | kinit ml@EXAMPLE.COM",
    "printf '%s\\n' '@@' | kinit ml@EXAMPLE.COM && klist",
    "kinit ml@EXAMPLE.COM <<< @@",
    "kinit ml@EXAMPLE.COM <<EOF\n@@\nEOF",
    "sudo -S apt-get install -y libgomp1 <<< '@@'",
    "echo '@@' | sudo -S ldconfig",
    "echo 'ml:@@' | chpasswd",
    "echo @@ | passwd --stdin ml",
    "openssl enc -d -aes-256-cbc -k @@ -in model.enc -out model.bin",
    "openssl enc -d -aes-256-cbc -pass pass:@@ -in model.enc -out model.bin",
    "unzip -q -P @@ train.zip -d /data",
    "7z x -p@@ train.7z -o/data",
    "gpg --batch --passphrase @@ -d data.gpg > data",
    "lftp -u ml,@@ sftp://h -e 'mirror /train'",
    "smbclient //h/share -U 'ml%@@' -c 'get x'",
    "ldapsearch -x -D cn=ml -w @@ -b dc=x",
    "read -r PASSWORD <<EOF\n@@\nEOF\nexport PASSWORD",
    "read -r HF_TOKEN <<< @@",
    "cat > config.yaml <<EOF\ndb:\n  user: ml\n  password: @@\nEOF\npython t.py",
    "cat <<'EOF' > ~/.aws/credentials\n[default]\naws_secret_access_key = @@\nEOF",
    "cat > /tmp/hf_token <<EOF\n@@\nEOF",
    "printf '%s' '@@' > /tmp/token\npython t.py",
    "echo @@ | tee /run/api-key > /dev/null",
    "python - <<EOF\nimport os\nos.environ[\"HF_TOKEN\"] = \"@@\"\nEOF",
    "python -c \"import os; os.environ['WANDB_API_KEY']='@@'; import train\"",
    "python - <<'EOF'\nimport os\nos.environ.setdefault(\"DB_PASSWORD\", \"@@\")\nEOF",
    "python - <<'EOF'\nimport os\ntoken = os.getenv('HF_TOKEN', '@@')\nEOF",
    "python -c 'from huggingface_hub import login; login(token=\"@@\")'",
    "databricks configure --host https://h --token <<< @@",
    "gh auth login --with-token <<< @@",
    "echo @@ | gh auth login --with-token",
    "htpasswd -b /etc/htpasswd ml @@",
    "cat > ~/.netrc <<EOF\nmachine api.wandb.ai\n  login user\n  password @@\nEOF\nchmod 600 ~/.netrc",
    "ftp -n <<E\nopen h\nuser me @@\nget x\nE",
    "printf 'token=%s\\n' @@ > conf",
    "printf '{\"api_key\": \"%s\"}' @@ > conf.json",
    "sed -i \"s/@PASSWORD@/@@/\" conf",
    "sed -i 's|^password=.*|password=@@|' conf",
    "jupyter lab --ServerApp.token=@@ --ip=0.0.0.0",
    "docker exec db mysql -uroot -p@@ -e 'select 1'",
    "oc exec db-0 -- mysql -uroot -p@@",
    "ssh ml@gateway sshpass -p @@ scp a b:",
    "declare -A c=([password]=@@)",
    "printf -v TOKEN %s @@",
    "TOKEN=; TOKEN+=@@",
    "jq -n --arg token @@ '{t: $token}' > c.json",
    "docker run --env=HF_TOKEN=@@ --env A=b img",
    "curl -H \"apikey:@@\" https://h",
    "openssl pkcs12 -in a -passin pass:@@ -out b",
    "conda config --add channels https://conda.anaconda.org/t/@@/ch",
    "perl -e '$ENV{DB_PASSWORD}=\"@@\"'",
    "if [ -n \"$CI\" ]; then docker login -u me -p @@; fi",
];

/// Commands without a credential.
const HARMLESS: &[&str] = &[
    "curl -H \"X-Api-Key: ${API_KEY}\" https://h/x",
    "curl -fsS -H \"api-key: $(cat /run/secrets/k)\" https://h/x | jq .",
    "wget --header=\"X-Api-Key: ${K}\" https://h/x",
    "curl -H \"X-Auth-Token: ${T}\" -H 'Accept: application/json' https://h/x",
    "curl -H \"Authorization: token ${GITHUB_TOKEN}\" https://api.github.com/user",
    "curl -H \"Authorization: Bearer $(gcloud auth print-access-token)\" https://h/x",
    "curl -u \"$USER:$(cat /run/pw)\" https://h/x; curl -u me https://h:80/x",
    "curl --proxy-user \"$PROXY_USER:$PROXY_PW\" https://h/x; curl -E /etc/client.pem https://h/x",
    "PASSWORD= python t.py",
    "TOKEN= HF_HOME=/cache python t.py --epochs 3",
    "export DB_PASSWORD=\"${DB_PASSWORD:?set the secret}\"",
    ": \"${HF_TOKEN:?the secret HF_TOKEN is missing, see docs}\"",
    "export TOKEN=${TOKEN:-} API_KEY=\"${API_KEY:-$DEFAULT_KEY}\"",
    "export TOKEN=\"${TOKEN:-$(cat /run/secrets/token)}\"",
    "DB_PASSWORD=\"$(cat \"$SECRETS/db password\")\" python t.py",
    "export DB_PASSWORD=$(echo \"$RAW\" | base64 -d)",
    "export API_KEY=\"$(printf '%s' \"$RAW\" | tr -d '\\n')\"",
    "TOKEN=\"$(aws ssm get-parameter --name /ml/token --with-decryption --query Parameter.Value --output text)\"",
    "cat > c.yaml <<EOF\npassword: ${DB_PASSWORD}\ntoken: $(cat /run/token)\nEOF",
    "cat > c.ini <<EOF\n[db]\npassword=$DB_PASSWORD\nEOF\npython t.py",
    "cat <<EOF > conf\n# the password comes from the environment\npassword_env = DB_PASSWORD\nEOF",
    "python t.py --api-key-env KEY --token-env-var HF_TOKEN",
    "echo \"usage: $0 --password PASSWORD\"; exit 64",
    "python - <<EOF\nlogin(token=TOKEN)\nEOF",
    "python - <<'EOF'\nimport os\nos.environ[\"HF_TOKEN\"] = open(\"/run/t\").read()\nEOF",
    "python -c \"import os; os.environ['API_KEY'] = os.environ['K']\"",
    "python - <<'EOF'\ntoken = os.getenv('HF_TOKEN', '')\nos.environ.setdefault('HF_HOME', '/cache1')\nEOF",
    "python - <<'EOF'\nlabels[\"key\"] = \"image1\"\nbatch[\"tokens\"] = \"ids0\"\nEOF",
    "hdfs dfs -ls '/data/token=*/'",
    "gsutil -m cp -r gs://b/train /data; gsutil -u project ls gs://b",
    "aws configure set region eu-west-1; aws configure set default.s3.max_concurrent_requests 20",
    "aws secretsmanager get-secret-value --secret-id ml/db --query SecretString",
    "az login --identity; az storage blob list --auth-mode login -c train",
    "az login --service-principal -u $ID -p \"$SECRET\" --tenant t; az acr login -n reg",
    "docker login -u \"$USER\" --password-stdin < /run/secrets/registry",
    "docker run --rm -p 8080:80 registry.example.com/serve login -p 9090",
    "docker run -it -p 8080:80 serve",
    "docker secret create db /run/secrets/db; podman secret ls",
    "helm install --set auth.existingSecret=db -f values.yaml db charts/db",
    "oc create secret generic db --from-literal=password=\"$PW\" --from-file=key=/run/key",
    "oc get secret db -o jsonpath='{.data.password}' | base64 -d > /tmp/x",
    "git clone https://github.com/org/repo -b v1.2 --depth 1; git config --global credential.helper store",
    "git config user.email ml@example.com; git config --global core.sshCommand 'ssh -i /k'",
    "pip install --no-cache-dir -r requirements.txt; pip config set global.index-url https://pypi.example.com/simple",
    "conda install -y -p /opt/env -c conda-forge numpy=1.26; conda config --add channels conda-forge",
    "huggingface-cli login --token \"$HF_TOKEN\"; huggingface-cli download org/model2 --token $HF_TOKEN",
    "wandb login --relogin; wandb login \"$WANDB_API_KEY\"; wandb offline",
    "wandb login --host https://wandb.example.com",
    "mlflow server --backend-store-uri \"postgresql://$U:$P@db/m\" --port 5000",
    "vault login -method=jwt role=trainer1; vault read -field=token kv/hf",
    "vault kv get -field=password secret/db > /run/db; vault login - < /run/token",
    "mysql -h db -u root -p\"$MYSQL_PW\" features < schema.sql; mysql -P 3306 -p db",
    "psql -h db -p 5432 -U ml -c 'select 1'; PGPASSWORD=\"$(cat /run/pg)\" psql",
    "redis-cli -h cache -p 6379 -a \"$PW\" ping; redis-cli SET key value1",
    "mongosh -u ml -p \"$PW\" mongodb://db; mongodump --port 27017",
    "ssh -p 2222 -i /etc/.ssh/id ml@host uptime; scp -P 2222 a b:",
    "sshpass -f /run/secrets/ssh ssh host; sshpass -e ssh host",
    "ssh-keygen -t rsa -N '' -f /etc/.ssh/id_rsa; ssh-keygen -R host",
    "kinit -kt /etc/security/me.keytab me@EXAMPLE.COM; echo done | tee log",
    "kinit me@EXAMPLE.COM < /run/pw; echo \"$PW\" | kinit me@EXAMPLE.COM",
    "openssl enc -d -pass env:PW -in a -out b; openssl rand -hex 16 > /tmp/token",
    "openssl enc -d -kfile /run/k -pass file:/run/secrets/k -in a -out b",
    "unzip -p data.zip > x; unzip -o train.zip -d /data1; 7z x data.7z -o/data",
    "cat /run/secrets/token | tr -d ' ' > /tmp/token; echo \"$T\" > /tmp/token",
    "echo \"ml:x:1000:0::/home/ml:/bin/bash\" >> /etc/passwd",
    "echo \"$(date)\" > /tmp/secrets_loaded; echo done > token.done",
    "read -r NAME <<< worker1; read -r TOKEN < /run/t; read -r PW <<< \"$RAW\"",
    "export PATH=\"$HOME/.local/bin:$PATH\" LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/opt/lib",
    "export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES:-0,1} KEY=${1%%=*} VALUE=${1#*=}",
    "pass=0; pass=$((pass + 1)); echo \"pass $pass of ${passes:-3}\"",
    "unrar x -p- a.rar; echo y | sudo -S apt-get install -y libgomp1; echo 'x=1' | su ml -c 'tee f'",
    "sudo -E python setup.py develop; echo y | sudo apt-get install libgomp1",
    "cat > ~/.config/conf.json <<EOF\n{\"username\": \"ada\", \"key\": \"id\"}\nEOF",
    "gh auth status; gh auth login --with-token < /run/t; gh release download v1",
    "mc alias set store https://s3.example.com \"$ACCESS\" \"$SECRET\"; mc cp store/b/x .",
    "dvc remote modify store endpointurl https://s3.example.com; dvc pull -j 8",
    "poetry config virtualenvs.create false; npm config set registry https://r.example.com",
    "kaggle config set -n username -v ada1; kaggle competitions download -p /data titanic",
    "sed -i \"s/@PASSWORD@/$DB_PASSWORD/\" conf; sed 's/token_type/kind1/; s/password/passcode/' x",
    "printf 'token=%s\\n' \"$T\" > conf; printf 'step %s of %d' 3 10; printf '%s\\n' key1",
    "# DB_PASSWORD=changeme is set by the operator\npython t.py",
    "ftp -n < /run/commands; echo 'machine h login u password '$PW > ~/.netrc",
    "docker exec db mysql -uroot -p\"$PW\"; oc exec db-0 -- redis-cli -p 6379 ping",
    "python - <<'EOF'\nparser.add_argument('--password', default='', help='the password')\nEOF",
    "python - <<'EOF'\ncfg['api_key'] = args.api_key\ncfg[token] = ids0\npassword = args.db.password\nEOF",
    "sed -i 's/^password: .*/password: ${DB_PASSWORD}/' c.yaml; jq -r .token x1; jq '.a[0].key' b2",
    "read -rsp \"token: \" TOKEN; echo \"HF_TOKEN is ${#HF_TOKEN} characters\"",
    "gcloud auth print-access-token | docker login -u oauth2accesstoken --password-stdin https://gcr.io",
    "oc create token trainer --duration 1h > /run/token; chpasswd < /run/pw; passwd -d ml",
    "jupyter lab --NotebookApp.token='' --ServerApp.password='' --IdentityProvider.token=\"$T\"",
    "python t.py --pass2 --key-size 2048 --num-keys 8 --token-type bearer",
];

#[test]
fn the_credential_in_a_command_is_found_in_any_notation() {
    let mut faults = Vec::new();
    for row in LEAKS {
        let script = row.replace("@@", VALUE);
        for (format, text) in forms(&script) {
            let found = hidden(format, &text);
            if !found.iter().any(|found| found.contains(VALUE)) {
                faults.push(format!("{script:?} {format:?} {found:?}"));
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{} of {}: {faults:#?}", faults.len(), LEAKS.len());
}

#[test]
fn a_command_without_a_credential_is_legible_in_any_notation() {
    let mut faults = Vec::new();
    for script in HARMLESS {
        for (format, text) in forms(script) {
            let found = hidden(format, &text);
            if !found.is_empty() {
                faults.push(format!("{script:?} {format:?} {found:?}"));
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{} of {}: {faults:#?}", faults.len(), HARMLESS.len());
}

/// A script of 100 kB, as ordinary text and as text that repeats the beginning of a construct.
#[test]
#[allow(clippy::disallowed_methods, reason = "the test measures time; the search does not")]
fn a_long_script_takes_linear_time() {
    let ordinary = HARMLESS.join("\n");
    let parts = [
        ordinary.as_str(),
        "$(",
        "${",
        "${A:-",
        "TOKEN=${",
        "echo a > ",
        "echo a|",
        "read <<< a;",
        "\"$(",
        "curl -u a;",
        "\"a\"] = ",
        "password \"a\"] = ",
    ];
    for part in parts {
        let text = part.repeat(100_000 / part.len() + 1);
        let begun = std::time::Instant::now();
        std::hint::black_box(in_output(&text, None));
        assert!(begun.elapsed().as_secs() < 20, "{part:?}: {:?}", begun.elapsed());
    }
}
